import { screen } from '../screening/screen.ts'
import { disputesAmong } from '../similarity/disputes-among.ts'
import { minHash } from '../similarity/text-signature.ts'
import type { Screener } from '../write/decision.ts'
import { heldText } from '../write/write-memory.ts'
import {
  type Candidate,
  type CandidateReading,
  type Examination,
  type ExaminationJob,
  GENERIC_SCOPES,
  type PlacedFinding,
  type TextContradiction,
} from './govern.ts'
import { decideByTable } from './govern-rules.ts'
import { selfClaimOf } from './govern-signal.ts'

/** How texts are read: by the runtime's own rules, or by others in a test. */
export interface TextReaders {
  readonly screen: Screener
  /** A list, not a pair, so that each text is read once. */
  readonly contradictionsAmong: (texts: readonly string[]) => readonly TextContradiction[]
}

const READERS: TextReaders = { screen, contradictionsAmong: disputesAmong }

/**
 * Reads all texts of a request: the larger part of the work of govern, and none of it needs the actor. Pure and linear
 * in the texts, up to a bounded number of comparisons; the same answer in whatever thread.
 */
export function examineCandidates(job: ExaminationJob, readers: TextReaders = READERS): Examination {
  const readings = job.candidates.map((candidate) => readingOf(candidate, job, readers.screen))
  return { readings, contradictions: contradictionsIn(job, readings, readers) }
}

function readingOf(candidate: Candidate, job: ExaminationJob, screenText: Screener): CandidateReading {
  const { screenedAs, declaredType, title, text } = candidate
  const context = { domain: screenedAs, declaredType, queryText: job.queryText }
  const selfClaim = candidate.readsSelfClaims
    ? ((title === null ? null : selfClaimOf(title)) ?? selfClaimOf(text))
    : null
  const findings: PlacedFinding[] = []
  for (const finding of screenText(text, context)) findings.push({ ...finding, place: 'text' })
  for (const finding of title === null ? [] : screenText(title, context))
    findings.push({ ...finding, place: 'title' })
  return {
    findings,
    selfClaim,
    hasOtherScope: hasOtherScope(candidate, job.scope),
    signature: minHash(heldText(text)),
  }
}

function hasOtherScope({ metadataScope }: Candidate, scope: string): boolean {
  if (metadataScope === null || metadataScope === scope) return false
  return !GENERIC_SCOPES.has(metadataScope.toLowerCase())
}

/**
 * Among the candidates that the table would let be used if nothing were known of them here, in the order of the ids: the
 * order of the request changes nothing, and what the actor knows changes nothing either.
 */
function contradictionsIn(
  { mode, candidates }: ExaminationJob,
  readings: readonly CandidateReading[],
  readers: TextReaders,
): readonly TextContradiction[] {
  const usable: { readonly at: number; readonly candidate: Candidate }[] = []
  for (const [at, candidate] of candidates.entries()) {
    const reading = readings[at]
    if (reading === undefined) continue
    if (
      decideByTable({ ...reading, candidate, history: null, outcome: null, pastUse: null }, mode).surface ===
      'use_now'
    )
      usable.push({ at, candidate })
  }
  if (usable.length < 2) return []
  usable.sort((a, b) => (a.candidate.externalId < b.candidate.externalId ? -1 : 1))
  const texts = usable.map(({ candidate }) => candidate.text)
  return readers.contradictionsAmong(texts).flatMap((found) => {
    const [one, other] = [usable[found.first], usable[found.second]]
    return one === undefined || other === undefined ? [] : [{ ...found, first: one.at, second: other.at }]
  })
}
