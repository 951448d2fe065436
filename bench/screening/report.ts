import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { tableText } from '../measure.ts'
import { type CostRow, US_10K_MAX } from './cost.ts'
import { type FindingsRow, KINDS } from './findings.ts'
import { SOURCES, type Source } from './govern-pass.ts'
import { FILE_NAME, LABELS, type Label } from './samples.ts'
import { shareText } from './shares.ts'
import type { SurfaceReport } from './surfaces.ts'

export interface ScreeningReport {
  readonly bench: 'screening'
  readonly node: string
  readonly folder: string
  /** Null when the folder holds no texts. */
  readonly surfaces: SurfaceReport | null
  readonly findings: readonly FindingsRow[] | null
  readonly cost: readonly CostRow[]
}

const NAMES: Readonly<Record<Label, string>> = {
  attack: 'attack',
  benign: 'harmless',
  fact_poison: 'false fact',
}

/** The report as a person reads it. */
export function reportText({ folder, surfaces, findings, cost }: ScreeningReport): string {
  const texts =
    surfaces === null || findings === null
      ? [`There is no ${FILE_NAME} in ${folder}: no text was screened. Name its folder with --data DIR.`]
      : [goalsText(surfaces), ...surfaceTexts(surfaces), ...findingTexts(findings)]
  return [...texts, costText(cost)].join('\n\n')
}

function goalsText({ goals, labels }: SurfaceReport): string {
  const rows = goals.map(({ goal, seen, max, isMet }) => [
    goal,
    `${seen.count} of ${seen.of}`,
    shareText(seen),
    `at most ${max * 100} %`,
    isMet ? 'met' : 'missed',
  ])
  const { count, of } = labels.fact_poison.trusted.all
  return section('Goals', [
    ['', 'texts', 'share', 'goal', ''],
    ...rows,
    [
      'false facts of a trusted source on use_now',
      `${count} of ${of}`,
      shareText(labels.fact_poison.trusted.all),
      'none: not for screening to find',
    ],
  ])
}

function surfaceTexts({ families, labels, confusion }: SurfaceReport): string[] {
  const rows = families.map(({ label, family, useNow, heldBackBy }) => [
    NAMES[label],
    familyText(family),
    String(useNow.unknown.all.of),
    String(useNow.unknown.all.count),
    String(useNow.trusted.all.count),
    shareText(useNow.trusted.all),
    Object.entries(heldBackBy)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([ruleId, count]) => `${ruleId} ${count}`)
      .join(', '),
  ])
  const halves = LABELS.map((label) => {
    const { all, design, check } = labels[label].trusted
    return [NAMES[label], `${all.count} of ${all.of}`, shareText(all), shareText(design), shareText(check)]
  })
  return [
    section('use_now by family', [
      ['label', 'family', 'texts', 'unknown source', 'trusted source', '', 'trusted, held back by'],
      ...rows,
    ]),
    section('use_now of a trusted source, by half', [
      ['label', 'texts', 'share', 'design half', 'check half'],
      ...halves,
    ]),
    ...SOURCES.map((source) => confusionText(source, confusion)),
  ]
}

function confusionText(source: Source, confusion: SurfaceReport['confusion']): string {
  const rows = LABELS.map((label) => [
    NAMES[label],
    ...SURFACES.map((surface) => String(confusion[source][label][surface])),
  ])
  return section(`Surfaces, ${source} source`, [['label', ...SURFACES], ...rows])
}

function findingTexts(findings: readonly FindingsRow[]): string[] {
  const rows = findings.map(({ label, family, found }) => [
    NAMES[label],
    familyText(family),
    String(found.all.of),
    String(found.all.count),
    shareText(found.all),
    shareText(found.design),
    shareText(found.check),
  ])
  const kinds = findings.map(({ label, family, kinds }) => [
    NAMES[label],
    familyText(family),
    ...KINDS.map((kind) => String(kinds[kind] ?? 0)),
  ])
  return [
    section('Texts with a finding, as facts', [
      ['label', 'family', 'texts', 'found', 'share', 'design half', 'check half'],
      ...rows,
    ]),
    section('Texts with a finding of a kind', [['label', 'family', ...KINDS.map(familyText)], ...kinds]),
  ]
}

function costText(cost: readonly CostRow[]): string {
  const rows = cost.map(({ input, us200, us10k, growth }) => [
    input,
    us200.toFixed(1),
    String(us10k),
    us10k <= US_10K_MAX ? 'met' : 'missed',
    growth.toFixed(1),
  ])
  return section('Processor time', [
    ['input', 'µs, 200 chars', 'µs, 10 kB', `at most ${US_10K_MAX}`, '1 MB over 100 kB'],
    ...rows,
  ])
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return `${title}\n${tableText(rows)}`
}

function familyText(name: string): string {
  return name.replaceAll('_', ' ')
}
