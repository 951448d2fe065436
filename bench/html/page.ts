import type { Question } from '../registry.ts'
import type { Figure, Outcome } from '../result.ts'
import type { Surroundings } from '../suite/machine.ts'
import { numberText } from '../suite/text.ts'
import { bar, barScale } from './bar.ts'
import { escaped } from './escaped.ts'
import { STYLE } from './style.ts'

/** What one run of the suite found. */
export interface Suite extends Surroundings {
  readonly isQuick: boolean
  readonly results: readonly Result[]
  readonly failures: readonly { readonly bench: string; readonly message: string }[]
}

type Result = { readonly bench: string } & Outcome

/** A figure with the question that it belongs to. */
interface Judged {
  readonly bench: string
  readonly figure: Figure
}

/** One page that needs nothing else: no script, no font, no picture from elsewhere. Light and dark. */
export function pageOf(suite: Suite, questions: readonly Question[]): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>memgov benchmarks</title><style>${STYLE}</style></head><body>`,
    '<h1>memgov benchmarks</h1>',
    ...verdict(suite),
    ...suite.results.map((result) =>
      section(
        result,
        questions.find(({ name }) => name === result.bench),
      ),
    ),
    '</body></html>',
    '',
  ].join('\n')
}

function verdict({ results, failures, isQuick, machine, node, commit, takenAt }: Suite): readonly string[] {
  const judged = results.flatMap(({ bench, figures }) =>
    figures.flatMap((figure): readonly Judged[] => (figure.goal === null ? [] : [{ bench, figure }])),
  )
  const missed = judged.filter(({ figure }) => figure.goal?.verdict === 'missed')
  const said =
    judged.length === 0
      ? 'No figure of this run has a goal.'
      : `${judged.length - missed.length} of ${judged.length} goals met.`
  return [
    `<p class="verdict ${missed.length === 0 ? 'met' : 'missed'}">${said}</p>`,
    ...(isQuick
      ? [
          '<p class="warning">This was a quick run: few rounds and small sizes. It shows that everything runs. It does not show how fast memgov is, least of all on a machine with other work.</p>',
        ]
      : []),
    ...failures.map(
      ({ bench, message }) => `<p class="warning">${escaped(bench)} broke: ${escaped(message)}</p>`,
    ),
    ...(missed.length === 0
      ? []
      : [`<h2>Missed</h2><ul>${missed.map((each) => `<li>${missedText(each)}</li>`).join('')}</ul>`]),
    `<p class="soft">${escaped(`${machine}; Node ${node}; commit ${commit ?? 'unknown'}; ${takenAt}`)}</p>`,
    `<p class="soft">Each line shows the median of all rounds; the thin line is from the least to the greatest round. Grey bars are yardsticks: what nobody could do without, measured in the same rounds. The mark <span class="mark"></span> is the goal. Compare ratios between machines, not times.</p>`,
  ]
}

function missedText({ bench, figure }: Judged): string {
  return `<a href="#${anchor(bench, figure)}">${escaped(figure.name)}</a>: ${valueText(figure)}, wanted ${goalText(figure)}`
}

function section({ bench, settings, figures, notes }: Result, question: Question | undefined): string {
  const set = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  return [
    `<section id="${escaped(bench)}"><h2>${escaped(question?.title ?? bench)}</h2>`,
    ...(question === undefined
      ? []
      : [`<p>Measures ${escaped(question.measures)}. Held against: ${escaped(question.yardstick)}.</p>`]),
    ...notes.map((note) => `<p class="warning">${escaped(note)}</p>`),
    ...byUnit(figures).map((own) => tableOf(bench, own)),
    `<p class="soft">Repeat it: <code>npm run bench -- ${escaped(bench)}</code>${set.length === 0 ? '' : ` (${escaped(set.join(', '))})`}</p>`,
    '</section>',
  ].join('\n')
}

/** Figures of one unit stand together, in the order in which the units come: only they can be compared by their bars. */
function byUnit(figures: readonly Figure[]): readonly (readonly Figure[])[] {
  const units = [...new Set(figures.map(({ unit }) => unit))]
  return units.map((unit) => figures.filter((figure) => figure.unit === unit))
}

function tableOf(bench: string, figures: readonly Figure[]): string {
  const scale = barScale(figures)
  const rows = figures.map((figure) => {
    const { name, meaning, goal, isYardstick } = figure
    const explained = meaning === null ? '' : `<small>${escaped(meaning)}</small>`
    const judged =
      goal === null ? '' : `<span class="${goal.verdict}">${goal.verdict}</span> ${goalText(figure)}`
    return [
      `<tr id="${anchor(bench, figure)}"${isYardstick ? ' class="yardstick"' : ''}>`,
      `<th scope="row">${escaped(name)}${explained}</th>`,
      `<td class="bar">${bar(figure, scale)}</td>`,
      `<td class="value">${valueText(figure)}${tailText(figure)}</td><td>${judged}</td></tr>`,
    ].join('')
  })
  return `<div class="wide"><table><tbody>\n${rows.join('\n')}\n</tbody></table></div>`
}

function valueText({ median, unit }: Figure): string {
  return `${numberText(median)}&nbsp;${escaped(unit)}`
}

function tailText({ percentiles }: Figure): string {
  return percentiles === null ? '' : `<small>p99 ${numberText(percentiles.p99)}</small>`
}

function goalText({ goal, unit }: Figure): string {
  return goal === null ? '' : `at ${goal.bound} ${numberText(goal.value)}&nbsp;${escaped(unit)}`
}

function anchor(bench: string, { name }: Figure): string {
  return `${bench}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}
