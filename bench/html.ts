import { escaped } from './html/escape.ts'
import { plotSvg } from './html/plot.ts'
import { STYLE } from './html/style.ts'
import type { BenchResult, Figure, Series, SuiteResult } from './result.ts'
import { goalText, numberText, PERCENTILES, percentileCells, surroundingsText } from './suite/text.ts'

/** One page that needs nothing else: no script, no font, no picture from elsewhere. It is well-formed XML as well. */
export function htmlOf(suite: SuiteResult): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en" xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>Benchmarks</title><style>${STYLE}</style></head><body>`,
    '<h1>Benchmarks</h1>',
    `<p class="soft">${escaped(surroundingsText(suite))}; ${escaped(suite.takenAt)}</p>`,
    `<ul>${suite.results.map(({ bench }) => `<li><a href="#${escaped(bench)}">${escaped(bench)}</a></li>`).join('')}</ul>`,
    ...suite.failures.map(
      ({ bench, message }) => `<p class="broke">${escaped(`${bench} broke: ${message}`)}</p>`,
    ),
    ...suite.results.map(sectionOf),
    '</body></html>',
    '',
  ].join('\n')
}

function sectionOf(result: BenchResult): string {
  const { bench, tookMs, settings, figures, notes } = result
  const set = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  const said = [`${(tookMs / 1_000).toFixed(1)} s`, ...set].join(', ')
  return [
    `<section id="${escaped(bench)}"><h2>${escaped(bench)}</h2><p class="soft">${escaped(said)}</p>`,
    ...notes.map((note) => `<p>${escaped(note)}</p>`),
    plotsOf(result),
    tableOf(figures),
    '</section>',
  ].join('\n')
}

/** One plot for each pair of axes. */
function plotsOf({ series }: BenchResult): string {
  const groups = new Map<string, Series[]>()
  for (const each of series) {
    const title = `${each.kind}: ${each.yLabel} over ${each.xLabel}`
    groups.set(title, [...(groups.get(title) ?? []), each])
  }
  if (groups.size === 0) return ''
  const plots = [...groups].map(([title, own]) => plotSvg(title, own))
  return `<div class="plots">${plots.join('\n')}</div>`
}

function tableOf(figures: readonly Figure[]): string {
  const heads = ['figure', 'unit', 'median', 'least', 'greatest', 'rounds', 'samples', ...PERCENTILES, 'goal']
  const rows = figures.map((figure) => {
    const { name, unit, median, least, greatest, rounds, samples, goal } = figure
    const numbers = [numberText(median), numberText(least), numberText(greatest)]
    const cells = [name, unit, ...numbers, String(rounds.length), String(samples), ...percentileCells(figure)]
    const verdict = goal === null ? '<td></td>' : `<td class="${goal.verdict}">${goalText(figure)}</td>`
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}${verdict}</tr>`
  })
  const head = heads.map((title) => `<th>${title}</th>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`
}
