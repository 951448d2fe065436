import type { MemoryWrite, ObserveCommand } from '../core/model/commands.ts'
import type { Finding } from '../core/screening/finding.ts'
import { screen } from '../core/screening/screen.ts'
import { type Screener, screenedTexts } from '../core/write/content-screening.ts'
import type { ScreenJob } from '../ports/compute.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'

/** Longer texts are screened in the worker pool. Characters. */
const POOLED_TEXT_MIN = 64 * 1024

/** The texts of a command that are better read in the pool, before its turn. Mostly none. */
export function longTextsOf(command: ObserveCommand): readonly ScreenJob[] {
  const jobs: ScreenJob[] = []
  const add = (input: MemoryWrite): void => {
    const { context, texts } = screenedTexts(input, command.handoff?.facts.handoffText ?? null)
    for (const text of texts) if (text.length > POOLED_TEXT_MIN) jobs.push({ text, context })
  }
  command.memories.forEach(add)
  if (command.handoff !== null) add(command.handoff.memory)
  return jobs
}

/**
 * A screener that has read long texts in the pool already; the others it reads in the turn.
 * @throws overloaded, shutting_down
 */
export async function screenerFor(parts: RuntimeParts, jobs: readonly ScreenJob[]): Promise<Screener> {
  const here = () => jobs.map(({ text, context }) => screen(text, context))
  const findings = await inPool(() => parts.compute.screen(jobs), here, parts.log)
  const known = new Map<string, readonly Finding[]>()
  for (const [place, job] of jobs.entries()) known.set(keyOf(job), findings[place] ?? [])
  return (text, context) => known.get(keyOf({ text, context })) ?? screen(text, context)
}

function keyOf({ text, context }: ScreenJob): string {
  return JSON.stringify([context.domain, context.declaredType, context.queryText, text])
}
