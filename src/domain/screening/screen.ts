import { decodedIn } from './decode.ts'
import { directivesIn } from './directive.ts'
import { FINDING_KINDS, type Finding, findingOf, type ScreeningContext } from './finding.ts'
import { hiddenFindings } from './hidden.ts'
import { markupFindings } from './markup.ts'
import { overrideIn } from './override.ts'
import { readingOf, sentencesOf } from './reading.ts'
import { requestsIn } from './request.ts'
import { runsOf } from './runs.ts'
import { secretFindings } from './secrets.ts'
import { structureFindings } from './structure.ts'

/** How often an encoding inside an encoding is opened. */
const DEPTH_MAX = 2

/**
 * What is instruction-like or deceptive in a text, in order of place; empty when nothing was found, which is no proof
 * that the text is safe. The whole text is read, in time that grows with its length only. Same text, same context: the
 * same findings. Texts of runs (domain execution, type execution_memory) are searched for the kinds that apply to them.
 */
export function screen(text: string, context: ScreeningContext): readonly Finding[] {
  const query = context.queryText?.toLowerCase() ?? ''
  const findings = hiddenFindings(text)
  // One at a time, here and below: a text may hold more findings than a call takes arguments.
  for (const finding of findingsOf(text, context, query, 0)) findings.push(finding)
  if (findings.length === 0) return findings
  return distinct(
    isExecution(context)
      ? findings.filter((finding) => FINDING_KINDS[finding.kind].appliesToExecution)
      : findings,
  )
}

function isExecution({ domain, declaredType }: ScreeningContext): boolean {
  return domain === 'execution' || declaredType === 'execution_memory'
}

/** What the words and lines of a text say, and what they say once decoded. */
function findingsOf(text: string, context: ScreeningContext, query: string, depth: number): Finding[] {
  const findings = structureFindings(text)
  for (const finding of markupFindings(text, query)) findings.push(finding)
  const reading = readingOf(text, context)
  for (const sentence of sentencesOf(reading.words)) {
    for (const finding of overrideIn(reading, sentence)) findings.push(finding)
    for (const finding of directivesIn(reading, sentence)) findings.push(finding)
    for (const finding of requestsIn(reading, sentence, query)) findings.push(finding)
  }
  if (depth === DEPTH_MAX) return findings
  const runs = runsOf(text)
  if (depth === 0) {
    for (const [start, end] of reading.words.mixed) findings.push(findingOf('mixed_script', start, end))
    if (!isExecution(context)) for (const finding of secretFindings(text, runs)) findings.push(finding)
  }
  for (const decoded of decodedIn(text, runs)) {
    for (const inner of findingsOf(decoded.text, context, query, depth + 1)) {
      const [start, end] = decoded.spanOf(inner.start, inner.end)
      findings.push({
        ...inner,
        start,
        end,
        sentence: `${inner.sentence} It is encoded (${decoded.encoding}).`,
      })
    }
  }
  return findings
}

const KINDS = Object.keys(FINDING_KINDS)
const NUMBER_OF_KIND = new Map<string, number>(KINDS.map((kind, number) => [kind, number]))

/** In order of place, one for each kind and start: what is found plainly is not repeated as decoded. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  if (isInOrder(findings)) return findings
  const seen = new Set<number>()
  const kept: Finding[] = []
  for (const finding of findings) {
    const key = finding.start * KINDS.length + (NUMBER_OF_KIND.get(finding.kind) ?? 0)
    if (seen.has(key)) continue
    seen.add(key)
    kept.push(finding)
  }
  return kept.sort((a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : 1))
}

/** Whether every finding begins after the one before it. */
function isInOrder(findings: readonly Finding[]): boolean {
  let last = -1
  for (const { start } of findings) {
    if (start <= last) return false
    last = start
  }
  return true
}
