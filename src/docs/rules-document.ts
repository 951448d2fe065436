import { GOVERN_MODES } from '../core/external/govern.ts'
import {
  CONTRADICTION_RULE,
  GOVERN_LAWS,
  GOVERN_RULES,
  STORED_MEMORY_RULE,
} from '../core/external/govern-rules.ts'
import { LAWS, type Rule, rulesOf } from '../core/laws/rules.ts'
import { TRANSITIONS } from '../core/model/lifecycle.ts'
import { SURFACE_RULES } from '../core/policy/admission.ts'
import { alignedTable } from './aligned-table.ts'

const FAMILIES: readonly { readonly letter: string; readonly title: string }[] = [
  { letter: 'V', title: 'Visibility' },
  { letter: 'L', title: 'Lifecycle' },
  { letter: 'O', title: 'Origin and trust' },
  { letter: 'H', title: 'Echoes' },
  { letter: 'C', title: 'Conflict' },
  { letter: 'E', title: 'Exposure' },
  { letter: 'F', title: 'Feedback' },
  { letter: 'G', title: 'Guide' },
  { letter: 'P', title: 'Prompt' },
  { letter: 'W', title: 'Workspace' },
  { letter: 'A', title: 'Audit' },
  { letter: 'M', title: 'Measure' },
  { letter: 'X', title: 'Erasure' },
  { letter: 'I', title: 'Identity by key' },
  { letter: 'D', title: 'Durability of decisions' },
  { letter: 'SC', title: 'Content screening' },
]

/** `docs/reference/rules.md`: every rule of the runtime with its id, from the tables that decide. */
export function rulesDocument(): string {
  const surfaces = SURFACE_RULES.map((rule) => [rule.id, rule.surface, `\`${rule.reasonCode}\``, rule.law])
  const transitions = TRANSITIONS.map(({ id, facet, from, to, cause }) => [
    id,
    facet,
    from.join(', '),
    to,
    `\`${cause}\``,
  ])
  return [
    '<!-- Generated from the rule tables by `npm run docs`. Change the tables, not this page. -->',
    '# Rules',
    'Each rule has an id, and at least one property test whose name begins with it; a test fails when a rule has none or ' +
      'a name carries an id that is not here. The ids stand in receipts and reports.',
    '## Surfaces',
    'What a stored memory may do now. The first rule that holds decides.',
    alignedTable(['Rule', 'Surface', 'Reason code', 'Law'], surfaces),
    '## Transitions',
    'Every way a facet can move. A row names one facet, so no transition touches another; a move without a row is ' +
      'impossible. The cause stands in linked decisions.',
    alignedTable(['Rule', 'Facet', 'From', 'To', 'Cause'], transitions),
    ...FAMILIES.flatMap(({ letter, title }) => [`## ${title}`, lawsOf(letter)]),
    ...governSections(),
  ]
    .join('\n\n')
    .concat('\n')
}

function governSections(): readonly string[] {
  const rows = GOVERN_RULES.map(({ id, actions, reasonCode, law }) => [
    id,
    ...GOVERN_MODES.map((mode) => actions[mode] ?? '–'),
    `\`${reasonCode}\``,
    law,
  ])
  return [
    '## Governed candidates',
    'What a candidate of an external backend may do. The first rule that holds and decides in the mode wins.',
    alignedTable(['Rule', ...GOVERN_MODES, 'Reason code', 'Law'], rows),
    'After the table, and for it as a whole:',
    lawTable([STORED_MEMORY_RULE, CONTRADICTION_RULE, ...rulesOf(GOVERN_LAWS)]),
  ]
}

function lawsOf(letter: string): string {
  return lawTable(LAWS.filter((rule) => rule.id.replace(/\d+$/, '') === letter))
}

function lawTable(laws: readonly Rule[]): string {
  return alignedTable(
    ['Rule', 'Law'],
    laws.map(({ id, law }) => [id, law]),
  )
}
