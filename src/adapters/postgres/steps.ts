import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../files/package-file.ts'

const FILE = /^(\d{4})-(.+)\.sql$/
/** First line of a step that nodes without it can serve beside. */
const BESIDE = '-- Older nodes: serve beside it.'

/**
 * One numbered change of the store. Its number also stands for everything else that nodes of one store read of each other:
 * a build that writes what older ones cannot read has a step for it, with or without a change of tables.
 */
export interface Step {
  readonly version: number
  readonly name: string
  readonly sha256: string
  readonly text: string
  readonly servesOlder: boolean
}

export async function knownSteps(): Promise<readonly Step[]> {
  const folder = packageFile('src/adapters/postgres/sql/')
  const names = (await readdir(fileURLToPath(folder))).toSorted()
  const found: Step[] = []
  for (const file of names) {
    const [, version, name] = FILE.exec(file) ?? []
    if (version === undefined || name === undefined) continue
    found.push(stepOf(Number(version), name, await readFile(new URL(file, folder), 'utf8')))
  }
  return found
}

export function stepOf(version: number, name: string, text: string): Step {
  const servesOlder = text.startsWith(`${BESIDE}\n`)
  return { version, name, sha256: hash('sha256', text, 'hex'), text, servesOlder }
}

export function newestOf(steps: readonly Step[]): number {
  return steps.at(-1)?.version ?? 0
}
