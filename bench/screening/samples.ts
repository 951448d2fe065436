import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonLines } from '../suite/json-lines.ts'

// Texts with what they are known to be, one JSON object a line. They stay in their own folder.

export const LABELS = ['attack', 'benign', 'fact_poison'] as const
export type Label = (typeof LABELS)[number]

const SampleLine = z.object({
  id: z.string().min(1),
  label: z.enum(LABELS),
  family: z.string().min(1),
  text: z.string().min(1),
})
export type Sample = Readonly<z.output<typeof SampleLine>>

/** Rules are designed on one half of the texts; what they do on the other is reported beside it. */
export const HALVES = ['design', 'check'] as const
export type Half = (typeof HALVES)[number]

export const FILE_NAME = 'texts.jsonl'

/** The samples of `texts.jsonl` in the folder; null when there is no such file. @throws Error that names the line */
export function readSamples(folder: string): readonly Sample[] | null {
  return readJsonLines(join(folder, FILE_NAME), SampleLine)
}

/** A random half, the same one for the same id. */
export function halfOf(id: string): Half {
  return ((createHash('sha256').update(id).digest()[0] ?? 0) & 1) === 0 ? 'design' : 'check'
}
