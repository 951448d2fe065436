import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

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
export async function readSamples(folder: string): Promise<readonly Sample[] | null> {
  let content: string
  try {
    content = await readFile(join(folder, FILE_NAME), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null
    throw error
  }
  return content.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [sampleOf(line, at + 1)]))
}

function sampleOf(line: string, lineNumber: number): Sample {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    throw new Error(`${FILE_NAME}, line ${lineNumber} is not JSON.`)
  }
  const parsed = SampleLine.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${FILE_NAME}, line ${lineNumber}: ${issue?.path.join('.')}: ${issue?.message}.`)
}

/** A random half, the same one for the same id. */
export function halfOf(id: string): Half {
  return ((createHash('sha256').update(id).digest()[0] ?? 0) & 1) === 0 ? 'design' : 'check'
}
