import type { MemoryInput, ObserveCommand } from '../domain/memory/commands.ts'
import { type Screener, screenedTexts } from '../domain/memory/content-screening.ts'
import type { Finding } from '../domain/screening/finding.ts'
import { screen } from '../domain/screening/screen.ts'
import type { ScreenJob } from '../ports/compute.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'

/** Longer texts are screened in the worker pool. Characters. */
const POOLED_TEXT_MIN = 64 * 1024

/**
 * A screener that has read the large texts of the request in the pool already; the others it reads in the turn.
 * @throws overloaded, shutting_down
 */
export async function screenerFor(parts: RuntimeParts, command: ObserveCommand): Promise<Screener> {
  const inputs: readonly MemoryInput[] = [
    ...command.memories,
    ...(command.handoff ? [command.handoff.memory] : []),
  ]
  const jobs = inputs.flatMap((input) => {
    const { context, texts } = screenedTexts(input, command.handoff?.facts.handoffText ?? null)
    return texts.filter((text) => text.length > POOLED_TEXT_MIN).map((text) => ({ text, context }))
  })
  if (jobs.length === 0) return screen
  const here = () => jobs.map(({ text, context }) => screen(text, context))
  const findings = await inPool(() => parts.compute.screen(jobs), here, parts.log)
  const known = new Map<string, readonly Finding[]>()
  for (const [place, job] of jobs.entries()) known.set(keyOf(job), findings[place] ?? [])
  return (text, context) => known.get(keyOf({ text, context })) ?? screen(text, context)
}

function keyOf({ text, context }: ScreenJob): string {
  return JSON.stringify([context.domain, context.declaredType, context.queryText, text])
}
