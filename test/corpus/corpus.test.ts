import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectedLines, GOLDEN } from './golden.ts'
import { type Entry, record, WORLDS } from './world.ts'

const golden = readFileSync(GOLDEN, 'utf8')
const worlds = WORLDS.map(({ name }) => expectedLines(golden, name))
const requests = worlds.flat().filter((line) => /^\d/.test(line))
/** What the harness of an edge refuses, and what needs a disk that fails. */
const NOT_MET = ['invalid_json', 'storage_read_only', 'internal_error']

describe('the corpus of recorded requests', () => {
  test('is answered byte for byte as it was recorded: the first world stands for all', async () => {
    const [world] = WORLDS
    if (world === undefined) throw new Error('there is no world')
    const expected = worlds[0] ?? []
    const lines: string[] = []
    const wrong: object[] = []
    let latest: Entry | null = null
    await record(world, 0, {
      seen: (entry) => {
        latest = entry
      },
      line: (line) => {
        const wanted = expected[lines.length]
        if (line !== wanted && wrong.length === 0) wrong.push({ line, wanted, latest })
        lines.push(line)
      },
    })
    expect(wrong).toEqual([])
    expect(lines).toEqual(expected)
  })

  test('holds 3 000 requests and more, a sixth to a third of them refused', () => {
    const refused = requests.filter((line) => line.split(' ')[2] !== 'ok')
    expect(requests.length).toBeGreaterThanOrEqual(3000)
    expect(refused.length * 6).toBeGreaterThan(requests.length)
    expect(refused.length * 3).toBeLessThan(requests.length)
    expect(requests.filter((line) => NOT_MET.includes(line.split(' ')[2] ?? ''))).toEqual([])
  })
})
