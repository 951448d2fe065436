import type { TraceDerivedSkill } from '../model/skill-candidate.ts'
import { foldText } from '../text/escape.ts'

const FILE_NAME_CHARS_MAX = 64

/**
 * A skill candidate as a markdown file with a front matter, for a reviewer. Every text stays on its own line.
 * @param note what became of it, one sentence
 */
export function skillMarkdown(skill: TraceDerivedSkill, note = 'Candidate, not reviewed.'): string {
  const sections = [
    section('When it applies', skill.applies_when),
    section('When it does not apply', skill.does_not_apply_when),
    section('Steps', skill.procedure_steps, (_, place) => `${place + 1}. `),
    section('Acceptance checks', skill.acceptance_checks, () => '- [ ] '),
    section('Files', skill.target_files),
    section('Counter-examples', skill.failure_counterexamples),
    section('Evidence', [...skill.evidence_refs, ...skill.source_trace_ids]),
  ]
  return [...frontMatter(skill, note), `# ${plain(skill.skill_name)}`, ...sections.flat(), ''].join('\n')
}

function frontMatter(skill: TraceDerivedSkill, note: string): readonly string[] {
  const description = `${foldText(note)} ${skill.applies_when[0] ?? ''}`.trim()
  return [
    '---',
    `name: ${fileName(skill.skill_name)}`,
    // A JSON string is a YAML string, whatever it holds.
    `description: ${JSON.stringify(description)}`,
    `authority_state: ${skill.authority_state}`,
    `promotion_status: ${skill.promotion_status}`,
    `required_gate: ${skill.export_policy.required_gate}`,
    '---',
    '',
  ]
}

function fileName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, FILE_NAME_CHARS_MAX).replace(/-$/, '') || 'skill'
}

function section(
  title: string,
  items: readonly string[],
  bullet: (item: string, place: number) => string = () => '- ',
): readonly string[] {
  if (items.length === 0) return []
  return ['', `## ${title}`, '', ...items.map((item, place) => `${bullet(item, place)}${plain(item)}`)]
}

/** Characters that mean something to markdown stay characters. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~!]/g, '\\$&')
}
