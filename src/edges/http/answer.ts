import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { jsonPieces } from '../../contract/json-pieces.ts'

/** A large answer as JSON, written in slices. */
export async function bytesOf(answer: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of jsonPieces(answer)) {
    pieces.push(Buffer.from(piece))
    await turnOfTheLoop()
  }
  return Buffer.concat(pieces)
}
