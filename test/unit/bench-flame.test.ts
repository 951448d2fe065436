import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costTable } from '../../bench/profile/cost-table.ts'
import { type CpuProfile, type Frame, foldProfile, functionCosts } from '../../bench/profile/cpu-profile.ts'
import { flameSvg } from '../../bench/profile/flame-svg.ts'
import { WORKLOADS } from '../../bench/profile/workloads.ts'
import { placeIn } from '../../bench/profile.ts'

/** A stack of function names, the caller first, and how long it was seen. */
type Seen = readonly [stack: readonly string[], us: number]

/** The profile that gives these stacks: each function of a stack is a node of its own below its caller. */
function profileOf(seen: readonly Seen[]): CpuProfile {
  const nodes = [node(1, '(root)')]
  const [samples, timeDeltas]: [number[], number[]] = [[], []]
  for (const [stack, us] of seen) {
    let at = nodes[0]
    for (const name of stack) {
      const next = node(nodes.length + 1, name)
      nodes.push(next)
      at?.children.push(next.id)
      at = next
    }
    samples.push(at?.id ?? 1)
    timeDeltas.push(us)
  }
  return { nodes, samples, timeDeltas }
}

function node(id: number, functionName: string, url = 'file:///build/a.js') {
  return { id, callFrame: { functionName, url, lineNumber: 6 }, children: Array<number>() }
}

const placeOf = (url: string) => url.replace('file:///build/', '')
const name = fc.constantFrom('a', 'b', 'c', 'd', '<e> & "f"')
const seen: fc.Arbitrary<readonly Seen[]> = fc.array(
  fc.tuple(fc.array(name, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 1_000 })),
  { minLength: 1, maxLength: 30 },
)

function everyFrame(frame: Frame): readonly Frame[] {
  return [frame, ...frame.children.flatMap(everyFrame)]
}

describe('flame graph', () => {
  test('a frame holds its own time and that of its children, and all of them the time of all samples', () => {
    fc.assert(
      fc.property(seen, (own) => {
        const root = foldProfile(profileOf(own), placeOf)
        expect(root.totalUs).toBe(own.reduce((sum, [, us]) => sum + us, 0))
        for (const { selfUs, totalUs, children } of everyFrame(root)) {
          expect(totalUs).toBe(children.reduce((sum, child) => sum + child.totalUs, selfUs))
        }
      }),
    )
  })

  test('calls of one function from one place are one frame, the longest first', () => {
    const root = foldProfile(
      profileOf([
        [['a', 'b'], 10],
        [['a'], 1],
        [['a', 'c'], 30],
        [['a', 'b'], 5],
      ]),
      placeOf,
    )
    expect(
      root.children.map(({ name: own, place, totalUs, selfUs }) => [own, place, totalUs, selfUs]),
    ).toEqual([['a', 'a.js:7', 46, 1]])
    expect(root.children[0]?.children.map((child) => [child.name, child.totalUs])).toEqual([
      ['c', 30],
      ['b', 15],
    ])
  })

  test('idle time and the profiler itself are left out, and a clock that goes back counts as no time', () => {
    const profile = profileOf([
      [['(idle)'], 1_000],
      [['a'], 7],
      [['a'], -3],
    ])
    const inspector = node(profile.nodes.length + 1, 'post', 'node:inspector')
    const [root, ...others] = profile.nodes
    if (root === undefined) throw new Error('there is no root')
    const nodes = [{ ...root, children: [...(root.children ?? []), inspector.id] }, ...others, inspector]
    const folded = foldProfile(
      {
        nodes,
        samples: [...(profile.samples ?? []), inspector.id],
        timeDeltas: [...(profile.timeDeltas ?? []), 500],
      },
      placeOf,
    )
    expect(everyFrame(folded).map(({ name: own, totalUs }) => [own, totalUs])).toEqual([
      ['all', 7],
      ['a', 7],
    ])
  })

  test('inclusive time counts a function once a stack, and own times sum up to the whole', () => {
    fc.assert(
      fc.property(seen, (own) => {
        const costs = functionCosts(foldProfile(profileOf(own), placeOf))
        const whole = own.reduce((sum, [, us]) => sum + us, 0)
        expect(costs.reduce((sum, { selfUs }) => sum + selfUs, 0)).toBe(whole)
        for (const { name: function_, inclusiveUs } of costs) {
          const with_ = own.filter(([stack]) => stack.includes(function_))
          expect(inclusiveUs).toBe(with_.reduce((sum, [, us]) => sum + us, 0))
        }
      }),
    )
  })

  test('the picture is never larger than it may be, escapes every name, and no box leaves it', () => {
    fc.assert(
      fc.property(seen, fc.integer({ min: 3_000, max: 20_000 }), (own, bytesMax) => {
        const root = foldProfile(profileOf(own), placeOf)
        const svg = flameSvg(root, { title: 'a < b & c', leastShare: 0.005, bytesMax })
        expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(bytesMax)
        expect(svg).toContain('a &lt; b &amp; c')
        expect(svg).not.toMatch(/<e>|& "|<script/)
        for (const [, x, width] of svg.matchAll(
          /<rect class="l\d" x="([\d.]+)" y="\d+" width="([\d.]+)" height="16"/g,
        )) {
          expect(Number(x) + Number(width)).toBeLessThanOrEqual(1_200.2)
        }
      }),
    )
  })

  test('frames below the least share are one frame that says how many they are', () => {
    const small: Seen[] = ['b', 'c', 'd'].map((own) => [['a', own], 4])
    const root = foldProfile(profileOf([[['a', 'large'], 988], ...small]), placeOf)
    const svg = flameSvg(root, { title: 'few', leastShare: 0.005, bytesMax: 60_000 })
    expect(svg).toContain('3 more')
    expect(svg).toContain('large a.js:7: 98.8 %, itself 98.8 %')
    expect(svg).not.toContain('d a.js:7')
  })

  test('the table tells time of an operation, the costliest first', () => {
    const root = foldProfile(
      profileOf([
        [['a', 'b'], 300],
        [['a'], 100],
      ]),
      placeOf,
    )
    const lines = costTable(root, 10, 5)
      .split('\n')
      .map((line) => line.trim().split(/\s{2,}/))
    expect(lines).toContainEqual(['30.0', '75.0 %', 'b', 'a.js:7'])
    expect(lines).toContainEqual(['40.0', '100.0 %', 'a', 'a.js:7'])
  })

  test('places begin at the root of the build, and tell nothing of the machine', () => {
    const places = {
      'file:///home/me/build/dist/src/domain/a.js': 'src/domain/a.js',
      'file:///home/me/build/node_modules/fastify/b.js': 'node_modules/fastify/b.js',
      'file:///home/me/elsewhere/c.js': 'c.js',
      'node:fs': 'node:fs',
    }
    for (const [url, place] of Object.entries(places)) expect(placeIn('/home/me/build', url)).toBe(place)
  })

  test('workloads have names of their own', () => {
    expect(new Set(WORKLOADS.map(({ name: own }) => own)).size).toBe(WORKLOADS.length)
  })
})
