import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import { readWhole, replaceWhole } from './whole-file.ts'

/** Lies in a data folder while a store is being moved into it. */
export const ARRIVAL_FILE = 'ARRIVAL.json'

/** A move of a store into a folder that is not finished: the id of the store that it comes from, and where that is. */
export type Arrival = z.infer<typeof ARRIVAL>
const ARRIVAL = z.object({ sourceId: z.string().catch(''), source: z.string().catch('') })

/** Null: nothing is on its way there. */
export async function readArrival(files: Files, dir: string): Promise<Arrival | null> {
  const bytes = await readWhole(files, join(dir, ARRIVAL_FILE))
  return bytes === null ? null : ARRIVAL.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
}

export async function writeArrival(files: Files, dir: string, arrival: Arrival): Promise<void> {
  const text = `${JSON.stringify(arrival, null, 2)}\n`
  await replaceWhole(files, join(dir, ARRIVAL_FILE), Buffer.from(text))
}

/** All of it is there. Resolves when that is durable. */
export async function removeArrival(files: Files, dir: string): Promise<void> {
  await files.unlink(join(dir, ARRIVAL_FILE))
  await files.fsyncDir(dir)
}

/** @throws StartError while a store is being moved into the folder */
export async function requireArrived(files: Files, dir: string): Promise<void> {
  const arrival = await readArrival(files, dir)
  if (arrival === null) return
  throw new StartError(
    'store_refused',
    `the data folder ${dir} holds a part of a store only: a move from ${arrival.source} was cut off; go on with memgov migrate, which finishes it`,
  )
}
