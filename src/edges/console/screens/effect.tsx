import { byHour } from '../parts/bars.tsx'
import { Head, Listed, Table } from '../parts/common.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { OutcomeMark } from '../parts/marks.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { counted, numeral, percent } from '../parts/words.ts'
import { place, where } from '../state/place.ts'
import { usePages } from '../state/use-read.ts'
import { type Effect, get } from '../wire/call.ts'

const WEEK_HOURS = 168
/** Tasks of a page: each may bring 168 hours of two kinds of runs. */
const PAGE = 2

const VERDICTS: Readonly<
  Record<Effect['verdict'], { readonly word: string; readonly outcome: string | null }>
> = {
  positive: { word: 'memory helps', outcome: 'positive' },
  negative: { word: 'memory harms', outcome: 'negative' },
  neutral: { word: 'no difference seen', outcome: 'neutral' },
  not_enough_evidence: { word: 'not enough evidence', outcome: null },
}

export function EffectScreen() {
  const { task_signature } = place.value.filters
  const call = get('/v1/operator/effect', { ...where(), task_signature, limit: PAGE })
  const pages = usePages<Effect>(call)
  return (
    <>
      <Head calls={[call]} />
      <p class="note">
        Finished runs with memory beside finished runs without, task by task. A difference is claimed from ten
        pairs on: a pair is one task with runs of both kinds.
      </p>
      <FilterBar fields={[{ name: 'task_signature', label: 'Task' }]} />
      <Listed pages={pages} none="Not enough evidence: no finished run names a task signature.">
        <div class="stack">
          {pages.items.map((effect) => (
            <TaskEffect key={effect.task_signature} effect={effect} />
          ))}
        </div>
      </Listed>
    </>
  )
}

function TaskEffect({ effect }: { readonly effect: Effect }) {
  const { pairs, verdict } = effect
  const told = VERDICTS[verdict]
  return (
    <article class="panel" aria-label={effect.task_signature}>
      <div class="panel-head">
        <h2 data-row tabIndex={0}>
          <HostileText text={effect.task_signature} />
        </h2>
        <OutcomeMark outcome={told.outcome} word={told.word} />
      </div>
      <Table
        kind="plain"
        label="Runs with and without memory"
        columns={['Runs', ['Ended', 'number'], ['Succeeded', 'number'], 'Share', '95 % interval']}
      >
        <Arm name="with memory" arm={effect.with_memory} />
        <Arm name="without memory" arm={effect.without_memory} />
      </Table>
      <p>
        {counted(pairs.count, 'pair')} of {pairs.needed} needed.{' '}
        {pairs.difference === null || verdict === 'not_enough_evidence' ? (
          <strong>Not enough evidence.</strong>
        ) : (
          <>
            Difference <strong>{points(pairs.difference)}</strong>
            {pairs.interval !== null &&
              ` (95 %: ${points(pairs.interval.low)} to ${points(pairs.interval.high)})`}
            .
          </>
        )}
      </p>
      <OverTime effect={effect} />
      {effect.runs_cut && <p class="soft">Only the newest runs were looked at.</p>}
    </article>
  )
}

function points(difference: number): string {
  const value = Math.round(difference * 100)
  return `${value > 0 ? '+' : ''}${value} points`
}

function Arm({ name, arm }: { readonly name: string; readonly arm: Effect['with_memory'] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{numeral(arm.runs)}</td>
      <td class="number">{numeral(arm.succeeded)}</td>
      <td>{arm.share === null ? '–' : percent(arm.share)}</td>
      <td>
        {arm.interval === null ? '–' : `${percent(arm.interval.low)} to ${percent(arm.interval.high)}`}
        {arm.interval !== null && (
          <svg class="interval" viewBox="0 0 100 10" width="100" height="10" aria-hidden="true">
            <path class="track" d="M0 5H100" />
            <path d={`M${arm.interval.low * 100} 5H${arm.interval.high * 100}`} />
            <circle cx={(arm.share ?? 0) * 100} cy="5" r="3.200" />
          </svg>
        )}
      </td>
    </tr>
  )
}

/** Shares of all runs so far, hour by hour: single hours hold too few runs to be read. */
function OverTime({ effect }: { readonly effect: Effect }) {
  const none = { runs: 0, succeeded: 0 }
  const sharesOf = (arm: 'with_memory' | 'without_memory') => {
    const sum = { runs: 0, succeeded: 0 }
    return byHour(effect.hours, WEEK_HOURS, (at) => effect.hours[at]?.[arm] ?? none, none).map(
      ({ atMs, value }) => {
        sum.runs += value.runs
        sum.succeeded += value.succeeded
        return { atMs, share: sum.runs === 0 ? null : sum.succeeded / sum.runs }
      },
    )
  }
  const guided = sharesOf('with_memory')
  const plain = sharesOf('without_memory')
  if (effect.hours.length === 0) return null
  return (
    <TimeChart
      title="Share of runs that succeeded, since a week ago"
      atMs={guided.map(({ atMs }) => atMs)}
      series={[
        { label: 'with memory', tone: 'accent', values: guided.map(({ share }) => share) },
        { label: 'without memory', tone: 'soft', values: plain.map(({ share }) => share) },
      ]}
      format={percent}
    />
  )
}
