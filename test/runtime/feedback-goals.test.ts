import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../harness/embedded.ts'
import { type Host, simulated, type Topic } from '../support/feedback-simulation.ts'

const TOPICS: readonly Topic[] = [
  [
    'label the wine bottles',
    'Wine bottles are labelled by station four after the corks.',
    'Wine bottles carry the label roll of their vintage.',
    'Wine bottles: label them before the filling.',
  ],
  [
    'calibrate the greenhouse sensors',
    'Greenhouse sensors are calibrated against the mercury thermometer.',
    'Greenhouse sensors report once in ninety seconds.',
    'Greenhouse sensors: calibrate them at noon in the sun.',
  ],
  [
    'translate the museum signs',
    'Museum signs are translated from the curators sheet.',
    'Museum signs keep forty characters a line.',
    'Museum signs: translate each word by the dictionary.',
  ],
  [
    'schedule the ferry crossings',
    'Ferry crossings follow the tide table of the harbour.',
    'Ferry crossings leave twelve minutes for loading.',
    'Ferry crossings: schedule by the clock alone.',
  ],
  [
    'restore the piano keys',
    'Piano keys are restored with hide glue.',
    'Piano keys dry for two days under weight.',
    'Piano keys: restore them without a look at the felts.',
  ],
  [
    'count the beehive frames',
    'Beehive frames are counted in the evening.',
    'Beehive frames with brood stay in place.',
    'Beehive frames: count them by shaking each one.',
  ],
  [
    'bake the rye loaves',
    'Rye loaves rise in lined baskets overnight.',
    'Rye loaves go in at two hundred forty degrees.',
    'Rye loaves: bake them straight after kneading.',
  ],
  [
    'survey the mountain trail',
    'Mountain trail surveys start from the eastern hut.',
    'Mountain trail markers are red and white.',
    'Mountain trail: survey it from the aerial photo only.',
  ],
  [
    'tune the theatre lights',
    'Theatre lights are tuned from the cue list.',
    'Theatre lights dim over three seconds.',
    'Theatre lights: tune all of them to full power.',
  ],
  [
    'sort the donated clothes',
    'Donated clothes are sorted by season first.',
    'Donated clothes without a label are washed.',
    'Donated clothes: sort them while they are still in their bags.',
  ],
].map(([query = '', one = '', two = '', bad = '']) => ({ query, good: [one, two], bad }))

/** The same in one house, which every text and every question names: each guide shows much of it. */
const inOneHouse = ({ query, good, bad }: Topic): Topic => ({
  query: `${query} at Riverside`,
  good: good.map((text) => `Riverside: ${text}`),
  bad: bad === null ? null : `Riverside: ${bad}`,
})

const GUILTY: Host = { blames: 'guilty', uses: 'use_now', says: 'use_now' }
const EVERYTHING: Host = {
  blames: 'everything',
  uses: 'use_now and inspected',
  says: 'explicit_host_assertion',
}
const ALWAYS_USE_NOW: Host = { ...EVERYTHING, says: 'use_now' }
const USE_NOW_ONLY: Host = { ...EVERYTHING, uses: 'use_now' }

/** Recorded topics, where BENCH_DATA names the folder of recorded texts. */
const RECORDED = join(process.env['BENCH_DATA'] ?? '', 'judgement', 'feedback-topics.jsonl')

function recordedTopics(): readonly Topic[] {
  if (!existsSync(RECORDED)) return []
  const rows = readFileSync(RECORDED, 'utf8').trim().split('\n')
  return rows.map((row) => {
    const { query, good1, good2, bad } = JSON.parse(row)
    return { query, good: [good1, good2], bad }
  })
}
const SHELVES = [['written', TOPICS] as const, ['recorded', recordedTopics()] as const].filter(
  ([, topics]) => topics.length > 0,
)

const real = await startEmbedded({ config: { durability: 'none' } })
let scopes = 0
const place = () => ({ tenant_id: 'goals', scope: `shelf ${(scopes += 1)}` })
const withBad = { tasks: 30, step: 10, flaky: 0, seed: 1 }

describe.each(SHELVES)('of %s topics', (_name, topics) => {
  test('a host that blames the guilty one keeps all that is good and nothing that is bad', async () => {
    const [, second, third] = await simulated(real, place(), topics, GUILTY, withBad)
    expect([second, third]).toEqual([
      { good: 20, bad: 0 },
      { good: 20, bad: 0 },
    ])
  })

  test('a host that blames everything it used loses what is bad, and what is good comes back', async () => {
    const shelves = await simulated(real, place(), topics, EVERYTHING, withBad)
    expect(shelves.map(({ bad }) => bad)).toEqual([0, 0, 0])
    expect(shelves.at(-1)?.good).toBe(20)
  })

  test('good memory stays usable when one run of seven fails for other reasons', async () => {
    const goodOnly = topics.map((topic) => ({ ...topic, bad: null }))
    expect(await meanGood(goodOnly, EVERYTHING)).toBeGreaterThanOrEqual(18)
    expect(await meanGood(goodOnly, ALWAYS_USE_NOW)).toBeGreaterThanOrEqual(16)
    // Who names nothing that is inspected gives it back by what else succeeds where it is shown.
    expect(await meanGood(goodOnly.map(inOneHouse), USE_NOW_ONLY)).toBeGreaterThanOrEqual(16)
  })
})

/** Good memory that is usable after 60 tasks, over some runs of chance. */
async function meanGood(topics: readonly Topic[], host: Host): Promise<number> {
  const seeds = [1, 2, 3, 4]
  let good = 0
  for (const seed of seeds) {
    const options = { tasks: 60, step: 60, flaky: 0.15, seed }
    good += (await simulated(real, place(), topics, host, options)).at(-1)?.good ?? 0
  }
  return good / seeds.length
}
