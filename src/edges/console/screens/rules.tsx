import { byHour, Spark } from '../parts/bars.tsx'
import { Empty, Facts, Head, More, Panel, Table, Waiting } from '../parts/common.tsx'
import { OutcomeMark, SurfaceMark } from '../parts/marks.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { numeral, wordOf } from '../parts/words.ts'
import { linkTo, place, where } from '../state/place.ts'
import { usePages, useRead } from '../state/use-read.ts'
import { get, type Rule, type Rules } from '../wire/call.ts'

const WEEK_HOURS = 168
const DAY_HOURS = 24
/** Rules of a page: each may bring 168 hours. */
const PAGE = 6

export function RulesScreen() {
  const { id } = place.value
  return id === null ? <RuleList /> : <RuleView id={id} />
}

function hoursOf({ hours }: Rule, count: number): readonly number[] {
  return byHour(hours, count, (at) => hours[at]?.count ?? 0, 0).map(({ value }) => value)
}

function RuleList() {
  const call = get('/v1/operator/rules', { ...where(), outcomes: true, limit: PAGE })
  const pages = usePages<Rule>(call)
  if (!pages.isWhole && !pages.isAsking && pages.refusal === null) queueMicrotask(pages.more)
  return (
    <>
      <Head calls={[call]} />
      {pages.items.length === 0 && <Waiting {...pages} />}
      {pages.items.length > 0 && (
        <Table
          kind="list"
          label="Surface rules in the order in which they are asked"
          columns={[
            'Rule',
            'Gives',
            ['24 hours', 'number spare'],
            ['In all', 'number'],
            ['A week', 'spare'],
            'Outcome after it',
            'When',
          ]}
        >
          {pages.items.map((rule) => (
            <RuleRow key={rule.rule_id} rule={rule} />
          ))}
        </Table>
      )}
      {pages.items.length > 0 && <More pages={pages} />}
    </>
  )
}

function RuleRow({ rule }: { readonly rule: Rule }) {
  const day = hoursOf(rule, DAY_HOURS).reduce((sum, count) => sum + count, 0)
  return (
    <tr class={rule.count === 0 ? 'is-quiet' : ''}>
      <td>
        <a data-row href={linkTo({ screen: 'rules', id: rule.rule_id })}>
          {rule.rule_id}
        </a>
      </td>
      <td>{rule.surface !== null && <SurfaceMark surface={rule.surface} />}</td>
      <td class="number spare">{numeral(day)}</td>
      <td class="number">{numeral(rule.count)}</td>
      <td class="spare">
        <Spark values={hoursOf(rule, WEEK_HOURS)} />
      </td>
      <td>
        <RuleOutcomes rule={rule} />
      </td>
      <td class="law">{rule.law ?? 'There is no such rule any more.'}</td>
    </tr>
  )
}

const OUTCOMES = ['positive', 'negative', 'neutral'] as const

/** What runs reported about memory that the rule admitted, in the newest guides. */
function RuleOutcomes({ rule }: { readonly rule: Rule }) {
  const told = OUTCOMES.filter((outcome) => (rule.outcomes?.[outcome] ?? 0) > 0)
  if (told.length === 0) return <span class="soft">none yet</span>
  return (
    <span class="shown-counts">
      {told.map((outcome) => (
        <OutcomeMark key={outcome} outcome={outcome} word={`${rule.outcomes?.[outcome] ?? 0} ${outcome}`} />
      ))}
    </span>
  )
}

function RuleView({ id }: { readonly id: string }) {
  const call = get('/v1/operator/rules', { ...where(), rule_id: id, outcomes: true })
  const read = useRead<Rules>(call)
  const [rule] = read.answer?.items ?? []
  return (
    <>
      <Head title={`Rule ${id}`} calls={[call]}>
        <a class="button quiet" href={linkTo({ screen: 'rules' })}>
          All rules
        </a>
      </Head>
      {rule === undefined && read.answer !== null && <Empty>No guide has met a rule of this name.</Empty>}
      {rule === undefined && <Waiting {...read} />}
      {rule !== undefined && (
        <Panel title="How often it decided" note={rule.law ?? ''}>
          <Facts
            rows={[
              ['Gives', rule.surface === null ? null : <SurfaceMark surface={rule.surface} />],
              ['Reason code', rule.reason_code === null ? null : wordOf(rule.reason_code)],
              ['In all', numeral(rule.count)],
              ['Outcome after it', <RuleOutcomes rule={rule} />],
            ]}
          />
          <RuleChart rule={rule} />
        </Panel>
      )}
    </>
  )
}

function RuleChart({ rule }: { readonly rule: Rule }) {
  const week = byHour(rule.hours, WEEK_HOURS, (at) => rule.hours[at]?.count ?? 0, 0)
  return (
    <TimeChart
      title={`Decisions of rule ${rule.rule_id} an hour`}
      atMs={week.map(({ atMs }) => atMs)}
      series={[{ label: 'decisions an hour', tone: 'accent', values: week.map(({ value }) => value) }]}
    />
  )
}
