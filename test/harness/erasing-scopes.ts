import { createCodec } from '../../src/adapters/codec/codec.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { imageOf } from '../../src/core/model/state-image.ts'
import type { Embedded, Place } from './embedded.ts'
import { answerText, type Secrets } from './secrets.ts'

// What tests of erasures share: scopes with traffic in common files, and everything that a scope can still tell.

const codec = createCodec()
export const place: Place = { tenant_id: 'erase', scope: 'one' }
export const neighbours = ['two', 'three', 'four'].map((scope): Place => ({ tenant_id: 'erase', scope }))
export const KEY = actorKeyOf(place.tenant_id, place.scope)
/** Small bounds, so that text is in old segments, history, snapshots of both makers and evicted actors. */
export const SMALL = {
  segmentBytes: 65_536,
  snapshotMinBytes: 4096,
  residentActorsMax: 2,
  workerMemoriesMin: 30,
} as const

export type Call = (
  operation: 'observe' | 'guide' | 'feedback' | 'govern' | 'rehydrate',
  body: object,
) => Promise<object>

/** Traffic of this and other scopes, so that segments are shared, archived and followed by more. */
export async function traffic(call: Call, rounds: number, kept: Secrets): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const where of [place, ...neighbours]) {
      const text = `Shift report ${round} of ${where.scope}: ${'all is written down as it was. '.repeat(12)}${kept.word()}`
      await call('observe', { ...where, input_text: text })
    }
    if (round % 5 === 0) await call('guide', { ...place, query_text: 'pump hall shift report', limit: 10 })
  }
}

export const calling =
  (service: Embedded): Call =>
  (operation, body) =>
    service.ok(operation, body)

/** What the state and everything that history can still tell say, as text. */
export async function toldBy(service: Embedded): Promise<string> {
  const { image, seq } = await service.registry.use(place.tenant_id, place.scope, async ({ state }) => {
    const lookups = [state.byClaimSlot, state.byClientId, state.runLines, state.bySignature].map((each) => [
      ...each.keys(),
    ])
    return { image: JSON.stringify([imageOf(state), lookups]), seq: state.seq }
  })
  const turns: string[] = []
  const answers: string[] = []
  for await (const { payload } of service.history.read(KEY, 1, seq)) {
    const { events } = codec.decodeTurn(payload)
    turns.push(JSON.stringify(events))
    for (const event of events) {
      if (event.type === 'operation_recorded' && event.answer !== null) answers.push(answerText(event.answer))
    }
  }
  if (turns.length !== seq) throw new Error(`history tells ${turns.length} of ${seq} turns`)
  return [image, ...turns, ...answers].join('\n')
}

export const wordsIn = (text: string, words: readonly string[]) => words.filter((word) => text.includes(word))
