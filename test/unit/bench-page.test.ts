import { describe, expect, test } from 'vitest'
import { pageOf, type Suite } from '../../bench/html/page.ts'
import { QUESTIONS } from '../../bench/registry.ts'
import { figureOf } from '../../bench/result.ts'

const FIGURES = [
  figureOf('guide', 'µs', [900, 1_000, 1_100], { goal: { bound: 'most', value: 500 } }),
  figureOf('HTTP echo as large as a guide', 'µs', [250], { isYardstick: true }),
  figureOf('rate', 'requests/s', [80], { goal: { bound: 'least', value: 50 }, meaning: 'More is <better>.' }),
]
const suiteOf = (isQuick: boolean): Suite => ({
  machine: 'two & cores',
  node: 'v20.20.2',
  commit: null,
  takenAt: '2026-01-31T12:00:00.000Z',
  isQuick,
  results: [{ bench: 'loop', settings: { rounds: 3 }, figures: FIGURES, notes: [] }],
  failures: [{ bench: 'append', message: 'no room' }],
})
const page = pageOf(suiteOf(false), QUESTIONS)

describe('the page of a run', () => {
  test('tells on top how many goals are met, and leads from each missed one to its figure', () => {
    const top = page.slice(0, page.indexOf('<section'))
    expect(top).toContain('1 of 2 goals met.')
    const [, anchor = ''] =
      /<li><a href="#([^"]+)">guide<\/a>: 1000&nbsp;µs, wanted at most 500.0&nbsp;µs/.exec(top) ?? []
    expect(page).toContain(`<tr id="${anchor}">`)
    expect(top).toContain('append broke: no room')
  })

  test('warns of a quick run only', () => {
    expect(page).not.toContain('quick run')
    expect(pageOf(suiteOf(true), QUESTIONS)).toContain('It does not show how fast memgov is')
  })

  test('draws a yardstick on the scale of what is held against it, and marks the goal', () => {
    const rows = page.split('<tr ').slice(1)
    const widthOf = (row = '') => /class="fill[^"]*" style="width:([\d.]+)%"/.exec(row)?.[1]
    expect(widthOf(rows[0])).toBe('90.9')
    expect(rows[0]).toContain('<span class="mark" style="left:45.5%">')
    expect(rows[1]).toContain('class="yardstick"')
    expect(widthOf(rows[1])).toBe('22.7')
  })

  test('names the question by its title, explains figures and escapes what comes from outside', () => {
    expect(page).toContain('<h2>One client over HTTP</h2>')
    expect(page).toContain('<small>More is &lt;better&gt;.</small>')
    expect(page).toContain('two &amp; cores')
  })

  test('needs nothing from elsewhere, and has colours for light and dark', () => {
    expect(page).not.toMatch(/<script|<link|https?:|url\(/)
    expect(page).toContain('prefers-color-scheme:dark')
  })
})
