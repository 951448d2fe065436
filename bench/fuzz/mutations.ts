import type { Random } from '../../test/corpus/random.ts'

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  '   ',
  0,
  -1,
  1.5,
  1e308,
  -0,
  [],
  {},
  [[[[[]]]]],
  'x'.repeat(100_000),
  '\u0000\u202e\ud800\u200b',
  '__proto__',
  { constructor: { prototype: 1 } },
  Array.from({ length: 300 }, () => 'item'),
  '2020-13-45T99:99:99Z',
  'guide_trace:not-a-uuid',
]

/** A copy of a JSON value with one thing changed somewhere inside. */
export function mutated(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return mutatedList(value, random)
  if (typeof value !== 'object' || value === null) return random.pick(ODD_VALUES)
  const entries = Object.entries(value)
  const [key, inner] = entries.length === 0 ? ['', null] : random.pick(entries)
  switch (random.below(5)) {
    case 0:
      return Object.fromEntries(entries.filter(([name]) => name !== key))
    case 1:
      return {
        ...value,
        [random.pick(['unknown_field', '__proto__x', 'toString', key])]: random.pick(ODD_VALUES),
      }
    case 2:
      return { ...value, [key]: random.pick(ODD_VALUES) }
    case 3:
      return { ...value, [key]: nested(random.below(60)) }
    default:
      return { ...value, [key]: mutated(inner, random) }
  }
}

function mutatedList(list: readonly unknown[], random: Random): unknown {
  if (list.length === 0 || random.isIn(0.3)) return [...list, random.pick(ODD_VALUES)]
  const at = random.below(list.length)
  if (random.isIn(0.2)) return Array.from({ length: 300 }, () => list[at])
  return list.map((item, place) => (place === at ? mutated(item, random) : item))
}

function nested(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { value } : [value]
  return value
}

/** Damages the text of a body: bytes that are almost JSON. */
export function damaged(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const junk = random.pick(['', '}', '"', '\\', '\u0007', '{"a":', ',,', 'null'])
  return text.slice(0, at) + junk + text.slice(at + random.below(4))
}
