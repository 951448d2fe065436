import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escaped } from '../../bench/html/escape.ts'
import { htmlOf } from '../../bench/html.ts'
import { flameSvg } from '../../bench/profile/flame-svg.ts'
import { figureOf, type SuiteResult } from '../../bench/result.ts'
import { numberText } from '../../bench/suite/text.ts'
import { suite, suiteOf } from '../support/bench-results.ts'

/** Names of elements that are left open or closed out of order, and signs that markup does not allow. */
function faultsOf(markup: string): readonly string[] {
  const faults: string[] = []
  const open: string[] = []
  const element = /<(\/?)([a-zA-Z][\w]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y
  let at = markup.indexOf('<html')
  while (at < markup.length) {
    const end = markup.indexOf('<', at)
    const text = markup.slice(at, end === -1 ? markup.length : end)
    if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) faults.push(`a bare & in ${text}`)
    if (end === -1) break
    element.lastIndex = end
    const found = element.exec(markup)
    if (found === null) return [...faults, `no element: ${markup.slice(end, end + 60)}`]
    const [, slash, name = '', , isEmpty] = found
    if (slash === '/') {
      const expected = open.pop()
      if (expected !== name) faults.push(`${name} closes ${expected}`)
    } else if (isEmpty !== '/') open.push(name)
    at = element.lastIndex
  }
  return [...faults, ...open]
}

function chromium(): string | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      // The next one may be installed.
    }
  }
  return null
}

const KINDS = ['latency over load', 'cost over size', 'cdf'] as const

/** One figure, and one plot of each kind. */
function plotted(): SuiteResult {
  const points: [number, number][] = [
    [1, 0.2],
    [10, 0.9],
    [100, 1],
  ]
  const series = KINDS.map((kind) => ({ name: 'guide', kind, xLabel: 'x', yLabel: 'y', points }))
  const figures = [figureOf('guide', 'µs', [1, 2, 3])]
  return suiteOf([], { results: [{ bench: 'loop', tookMs: 1, settings: {}, figures, notes: [], series }] })
}

describe('page of results', () => {
  test('it is well-formed whatever the words in it', () => {
    fc.assert(
      fc.property(suite, (own) => {
        expect(faultsOf(htmlOf(own))).toEqual([])
      }),
    )
    expect(faultsOf('<html><p>a & b</q></html>')).toEqual(['a bare & in a & b', 'q closes p'])
    expect(faultsOf('<html><p></html>')).not.toEqual([])
  })

  test('every figure stands in it with its name, unit and median, and every failure', () => {
    fc.assert(
      fc.property(suite, (own) => {
        const page = htmlOf(own)
        for (const { figures } of own.results) {
          for (const { name, unit, median } of figures) {
            expect(page).toContain(
              `<td>${escaped(name)}</td><td>${escaped(unit)}</td><td>${numberText(median)}</td>`,
            )
          }
        }
        for (const { bench, message } of own.failures)
          expect(page).toContain(escaped(`${bench} broke: ${message}`))
      }),
    )
  })

  test('no point lies outside of its plot or at no place', () => {
    fc.assert(
      fc.property(suite, (own) => {
        for (const [, x, y] of htmlOf(own).matchAll(/<circle class="c\d" cx="([^"]*)" cy="([^"]*)"/g)) {
          expect(Number(x)).toBeGreaterThanOrEqual(0)
          expect(Number(x)).toBeLessThanOrEqual(640)
          expect(Number(y)).toBeGreaterThanOrEqual(0)
          expect(Number(y)).toBeLessThanOrEqual(300)
        }
      }),
    )
  })

  test('it asks for nothing from elsewhere and follows the light or dark choice of its reader', () => {
    const page = htmlOf(suiteOf([figureOf('guide', 'µs', [1, 2, 3])]))
    expect(page).not.toMatch(/<script|<link|src=|url\(|@import/)
    expect(page).toContain('prefers-color-scheme:dark')
  })

  const browser = chromium()
  test.skipIf(browser === null)(
    `a browser shows its tables and a plot of each kind, and a flame graph${browser === null ? ' (skipped: no chromium is installed)' : ''}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'memgov-page-'))
      try {
        const shown = (name: string, text: string): string => {
          const file = join(folder, name)
          writeFileSync(file, text)
          const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', `file://${file}`]
          return execFileSync(browser ?? '', flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        }
        const page = shown('page.html', htmlOf(plotted()))
        expect(page).toContain('<td>guide</td>')
        expect([...page.matchAll(/<svg/g)].length).toBe(KINDS.length)
        expect([...page.matchAll(/<polyline class="c0" points="\d[^"]*"><\/polyline>/g)].length).toBe(
          KINDS.length,
        )
        const frame = { name: 'rank', place: 'a.js:1', selfUs: 5, totalUs: 5, children: [] }
        const flame = flameSvg(frame, { title: 'a < b', leastShare: 0.005, bytesMax: 60_000 })
        expect(shown('flame.svg', flame)).toContain('rank a.js:1: 100.0 %')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})
