import { isLongJson } from '../contract/json-pieces.ts'
import type { MemoryWrite, ObserveCommand } from '../core/model/commands.ts'
import type { Finding } from '../core/screening/finding.ts'
import { screen } from '../core/screening/screen.ts'
import { type Screener, screenedTexts } from '../core/write/decision.ts'
import { claimMemory } from '../core/write/write-memory.ts'
import type { ScreenJob } from '../ports/compute.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'

/** What is more than this takes too long for one turn. Characters of all texts, and memories. */
const ONE_TURN_CHARS_MAX = 16 * 1024
const ONE_TURN_MEMORIES_MAX = 8
/** Characters that go to the pool at once: rankings may come between. */
const BATCH_CHARS = 128 * 1024

/** Whether an observe is so large that its texts are screened in the pool and its turn is taken in slices. Mostly not. */
export function isLarge({ memories, handoff, claims }: ObserveCommand): boolean {
  if (memories.length + claims.length > ONE_TURN_MEMORIES_MAX) return true
  if (memories.some(hasLongPayload) || (handoff !== null && hasLongPayload(handoff.memory))) return true
  let chars = handoff === null ? 0 : charsOf(handoff.memory) + (handoff.facts.handoffText?.length ?? 0)
  for (const memory of memories) chars += charsOf(memory)
  for (const { subjectKey, predicate, value } of claims) {
    chars += subjectKey.length + predicate.length
    chars += typeof value === 'string' ? value.length : JSON.stringify(value).length
  }
  return chars > ONE_TURN_CHARS_MAX
}

/** Nothing of it is read, but all of it is copied and written. */
function hasLongPayload({ content: { payload } }: MemoryWrite): boolean {
  return payload !== null && isLongJson(payload)
}

/** Of every text that is searched or screened. */
function charsOf({ content }: MemoryWrite): number {
  const { text, title, summary, nextAction } = content
  let chars = text.length + (title?.length ?? 0) + (summary?.length ?? 0) + (nextAction?.length ?? 0)
  for (const step of content.workflowSteps) chars += step.length
  for (const file of content.targetFiles) chars += file.length
  for (const check of content.acceptanceChecks) chars += check.length
  for (const tool of content.tools) chars += tool.length
  for (const reference of content.evidenceRefs) chars += reference.length
  return chars
}

/** All texts of a command that are screened. */
export function screenJobsOf(command: ObserveCommand): readonly ScreenJob[] {
  const jobs: ScreenJob[] = []
  const add = (input: MemoryWrite, extra: string | null): void => {
    const { context, texts } = screenedTexts(input, extra)
    for (const text of texts) jobs.push({ text, context })
  }
  const { memories, handoff, claims } = command
  for (const memory of memories) add(memory, null)
  if (handoff !== null) add(handoff.memory, handoff.facts.handoffText)
  for (const claim of claims) add(claimMemory(command, claim), null)
  return jobs
}

/**
 * A screener that has read texts in the pool already; others it reads in the turn.
 * @throws overloaded, shutting_down
 */
export async function screenerFor(parts: RuntimeParts, jobs: readonly ScreenJob[]): Promise<Screener> {
  // By context, then by text: no key is made of a text of megabytes.
  const known = new Map<string, Map<string, readonly Finding[]>>()
  for (let from = 0; from < jobs.length; ) {
    let chars = 0
    let to = from
    for (; to < jobs.length && (to === from || chars < BATCH_CHARS); to += 1)
      chars += jobs[to]?.text.length ?? 0
    const batch = jobs.slice(from, to)
    const here = () => batch.map(({ text, context }) => screen(text, context))
    const findings = await inPool(() => parts.compute.screen(batch), here, parts.log)
    for (const [place, { text, context }] of batch.entries()) {
      const byText = known.get(keyOf(context)) ?? new Map<string, readonly Finding[]>()
      known.set(keyOf(context), byText.set(text, findings[place] ?? []))
    }
    from = to
  }
  return (text, context) => known.get(keyOf(context))?.get(text) ?? screen(text, context)
}

function keyOf({ domain, declaredType, queryText }: ScreenJob['context']): string {
  return JSON.stringify([domain, declaredType, queryText])
}
