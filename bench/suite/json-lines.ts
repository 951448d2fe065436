import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { z } from 'zod'

/** The rows of a file of one JSON object a line; null when there is no such file. @throws Error that names the line */
export function readJsonLines<Row extends z.ZodType>(file: string, row: Row): z.output<Row>[] | null {
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [rowOf(line, `${basename(file)}, line ${at + 1}`, row)],
  )
}

function rowOf<Row extends z.ZodType>(line: string, place: string, row: Row): z.output<Row> {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    throw new Error(`${place} is not JSON.`)
  }
  const parsed = row.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${place}: ${issue?.path.join('.')}: ${issue?.message}.`)
}
