import { decodedIn } from './decode.ts'
import { addDirectives } from './directive.ts'
import { EXECUTION_KINDS, type Finding, findingOf, type ScreeningContext } from './finding.ts'
import { addHidden, type Decoded } from './folding.ts'
import { addObsolete } from './obsolete.ts'
import { addOverrides } from './override.ts'
import { addActiveMarkup, addMarkup, addStructure } from './patterns.ts'
import { withoutShown } from './quotation.ts'
import { readingOf, sentencesOf } from './reading.ts'
import { addRequests } from './request.ts'
import { addSecrets } from './secrets.ts'
import { BRACKET, PICTURE, surveyOf, UNUSUAL } from './survey.ts'

/** How often an encoding inside an encoding is opened. */
const DEPTH_MAX = 2

/**
 * What is instruction-like or deceptive in a text, in order of place; empty when nothing was found, which is no proof
 * that the text is safe. The whole text is read, in time that grows with its length only. Same text, same context: the
 * same findings. Texts of runs (domain execution, type execution_memory) are searched for the kinds that apply to them.
 */
export function screen(text: string, context: ScreeningContext): readonly Finding[] {
  const query = context.queryText?.toLowerCase() ?? ''
  const findings: Finding[] = []
  addFindings(findings, text, { context, query, depth: 0, outer: null })
  const found = distinct(withoutShown(text, findings))
  return isExecution(context) ? found.filter(({ kind }) => EXECUTION_KINDS.has(kind)) : found
}

function isExecution({ domain, declaredType }: ScreeningContext): boolean {
  return domain === 'execution' || declaredType === 'execution_memory'
}

/** How a text is read: the one that was given, or one that was found in it encoded. */
interface Level {
  readonly context: ScreeningContext
  readonly query: string
  /** Encodings around the text. */
  readonly depth: number
  readonly outer: Decoded['encoding'] | null
}

/** What the words and lines of a text say, and what they say once decoded. */
function addFindings(findings: Finding[], text: string, level: Level): void {
  const { context, query, depth } = level
  const survey = surveyOf(text)
  if (depth === 0 && (survey.signs & UNUSUAL) !== 0) addHidden(findings, text)
  addStructure(findings, text, survey)
  if ((survey.signs & PICTURE) !== 0) addMarkup(findings, text, query)
  if ((survey.signs & BRACKET) !== 0) addActiveMarkup(findings, text)
  const reading = readingOf(text, context)
  for (const sentence of sentencesOf(reading.words)) {
    addOverrides(findings, reading, sentence)
    addDirectives(findings, reading, sentence)
    addRequests(findings, reading, sentence, query)
  }
  if (depth === DEPTH_MAX) return
  if (depth === 0) {
    for (const [start, end] of reading.words.mixed) findings.push(findingOf('mixed_script', start, end))
    if (!isExecution(context)) {
      addSecrets(findings, text, survey)
      addObsolete(findings, text)
    }
  }
  for (const decoded of decodedIn(text, survey, level.outer)) {
    const inner: Finding[] = []
    addFindings(inner, decoded.text, { context, query, depth: depth + 1, outer: decoded.encoding })
    for (const finding of inner) findings.push(asEncoded(finding, decoded))
  }
}

/** A finding in decoded text stands where the encoded text stands. */
function asEncoded(finding: Finding, { spanOf, encoding }: Decoded): Finding {
  const [start, end] = spanOf(finding.start, finding.end)
  return { ...finding, start, end, sentence: `${finding.sentence} It is encoded (${encoding}).` }
}

/** In order of place, one for each kind and start: what is found plainly is not repeated as decoded. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings
  const seen = new Map<Finding['kind'], Set<number>>()
  const kept = findings.filter(({ kind, start }) => {
    const starts = seen.get(kind) ?? new Set()
    if (starts.has(start)) return false
    seen.set(kind, starts.add(start))
    return true
  })
  return kept.sort((a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : 1))
}
