import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['docs', 'src', 'bench', 'test', 'deploy']
const GENERATED = /^<!-- Generated/
/** All pages that people wrote, decisions aside: as long as somebody reads. */
const WRITTEN_BYTES_MAX = 250_000

const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
]
const texts = new Map(pages.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))

/** Code holds brackets that are no links. */
const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchors of a page as GitHub makes them: a second heading of the same words gets a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) => {
      const words = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      const anchor = words.trim().replaceAll(' ', '-')
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return before === 0 ? anchor : `${anchor}-${before}`
    }),
  )
}

function brokenLinksOf(path: string, text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/\]\(\s*([^)\s]+)\s*\)/g)].flatMap(([, link = '']) => {
    if (/^(?:https?|mailto|svc):/.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (target.startsWith('..') || !existsSync(join(ROOT, target))) return [`${link}: there is no ${target}`]
    if (anchor === undefined) return []
    const page = texts.get(target)
    return page !== undefined && anchorsOf(page).has(anchor) ? [] : [`${link}: no such heading in ${target}`]
  })
}

describe('documents', () => {
  test.each([...texts])('every link of %s leads to a file and a heading', (path, text) => {
    expect(brokenLinksOf(path, text)).toEqual([])
  })

  test('a link to a missing file or heading is found', () => {
    expect(brokenLinksOf('docs/README.md', 'see [a](nowhere.md) and [b](#no-such)')).toHaveLength(2)
  })

  test('the index names every page of its folders', () => {
    const index = texts.get('docs/README.md') ?? ''
    const own = pages.filter((path) =>
      /^docs\/(?:tutorial|how-to|explanation|internals)\/|^docs\/reference\/[^/]+$/.test(path),
    )
    expect(own.filter((path) => !index.includes(`(${relative('docs', path)})`))).toEqual([])
    expect(own.length).toBeGreaterThan(20)
  })

  test('what people wrote stays within 250 kB, so that somebody can read it', () => {
    const written = [...texts].filter(
      ([path, text]) =>
        /^docs\/|^[A-Z]+\.md$/.test(path) && !path.startsWith('docs/decisions') && !GENERATED.test(text),
    )
    const bytes = written.map(([path]) => statSync(join(ROOT, path)).size)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(WRITTEN_BYTES_MAX)
  })
})
