import { Figure, type Part, Shares } from '../parts/bars.tsx'
import { Empty, Facts, Head, Named, Panel, Waiting } from '../parts/common.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { StateMark } from '../parts/marks.tsx'
import { counted, numeral, SURFACE_ORDER, surfaceWord } from '../parts/words.ts'
import { linkTo, where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import {
  type Guide,
  type Guides,
  get,
  type Health,
  type Review,
  type Rules,
  type Snapshot,
  type SnapshotAnswer,
} from '../wire/call.ts'

/** Guides that the share of surfaces is read from. */
const GUIDES_READ = 100
const REVIEWS_READ = 12
/** It holds back what screening found something in, unless a rule before it does. */
const SCREENING_RULE = 'S6'
const RATE_MS = 10 * 60_000

export function Overview() {
  const calls = {
    health: get('/health'),
    snapshot: get('/v1/operator/snapshot', where()),
    guides: get('/v1/operator/guides', { ...where(), limit: GUIDES_READ }),
    screening: get('/v1/operator/rules', { ...where(), rule_id: SCREENING_RULE }),
    review: get('/v1/operator/review', { ...where(), limit: REVIEWS_READ }),
  }
  const health = useRead<Health>(calls.health)
  const snapshot = useRead<SnapshotAnswer>(calls.snapshot)
  const guides = useRead<Guides>(calls.guides)
  const screening = useRead<Rules>(calls.screening)
  const review = useRead<Review>(calls.review)
  const seen = snapshot.answer?.operator_snapshot
  return (
    <>
      <Head calls={Object.values(calls)} />
      {seen === undefined && <Waiting {...snapshot} />}
      {seen?.memory_counts.total === 0 && guides.answer?.items.length === 0 && <Nothing />}
      <div class="figures">
        {seen !== undefined && <MemoryFigures seen={seen} />}
        {guides.answer !== null && <GuideRate guides={guides.answer.items} />}
        {screening.answer !== null && <Screened rules={screening.answer} review={review.answer} />}
        {review.answer !== null && <OpenReviews review={review.answer} />}
      </div>
      <div class="columns">
        {guides.answer !== null && <SurfacesShown guides={guides.answer.items} />}
        {seen !== undefined && <Outcomes seen={seen} />}
        {seen !== undefined && <Held seen={seen} />}
        {health.answer !== null && <ServiceHealth health={health.answer} />}
      </div>
    </>
  )
}

/** Of a scope that nobody has written to the service answers as of an empty one. */
function Nothing() {
  const { tenant_id: tenant, scope } = where()
  return (
    <Empty>
      There is no memory and no guide in <HostileText text={scope} /> of <HostileText text={tenant} />: if
      there should be, the name is another.{' '}
      <a href={linkTo({ screen: 'scopes' })}>See the scopes of the tenant</a>.
    </Empty>
  )
}

function MemoryFigures({ seen }: { readonly seen: Snapshot }) {
  const { by_lifecycle_state: states, total, erased } = seen.memory_counts
  const held = states.contested + states.failed + states.suppressed
  return (
    <>
      <Figure
        label="Memories in force"
        note={`of ${numeral(total)}${erased > 0 ? `, ${numeral(erased)} erased counted as before` : ''}`}
        href={linkTo({ screen: 'memories', filters: { lifecycle_state: 'active' } })}
      >
        {numeral(states.active)}
      </Figure>
      <Figure label="Held back" note="contested, failed or suppressed">
        {numeral(held)}
      </Figure>
      <Figure
        label="Not trusted yet"
        note="shown to be inspected first"
        href={linkTo({ screen: 'memories', filters: { lifecycle_state: 'candidate' } })}
      >
        {numeral(states.candidate)}
      </Figure>
    </>
  )
}

function GuideRate({ guides }: { readonly guides: readonly Guide[] }) {
  const nowMs = Date.now()
  const recent = guides.filter(({ at }) => nowMs - Date.parse(at) <= RATE_MS)
  const oldest = recent.at(-1)
  // When every guide that was read is recent, they tell a shorter time than ten minutes.
  const spanMs =
    recent.length === GUIDES_READ && oldest !== undefined ? nowMs - Date.parse(oldest.at) : RATE_MS
  const rate = recent.length / (Math.max(spanMs, 1000) / 60_000)
  return (
    <Figure label="Guides a minute" note="over the last ten minutes" href={linkTo({ screen: 'guides' })}>
      {rate === 0 ? '0' : rate.toFixed(rate < 10 ? 1 : 0)}
    </Figure>
  )
}

function Screened({ rules, review }: { readonly rules: Rules; readonly review: Review | null }) {
  const [rule] = rules.items
  const found = review?.items.filter(({ memories }) => memories.some(({ findings }) => findings.length > 0))
  const reviews =
    found === undefined ? '' : `; it found something in ${found.length} of the newest open reviews`
  return (
    <Figure
      label="Held by screening alone"
      note={`lines that no rule before ${SCREENING_RULE} held${reviews}`}
      href={linkTo({ screen: 'rules', id: SCREENING_RULE })}
    >
      {numeral(rule?.count ?? 0)}
    </Figure>
  )
}

function OpenReviews({ review }: { readonly review: Review }) {
  const count = `${review.items.length}${review.next_cursor === null ? '' : '+'}`
  return (
    <Figure label="Open reviews" note="what waits for a person" href={linkTo({ screen: 'review' })}>
      {count}
    </Figure>
  )
}

function SurfacesShown({ guides }: { readonly guides: readonly Guide[] }) {
  const parts = SURFACE_ORDER.map(
    (surface): Part => ({
      name: surface,
      word: surfaceWord(surface),
      count: guides.reduce((sum, { shown }) => sum + shown[surface], 0),
      href: linkTo({ screen: 'memories', filters: { surface } }),
    }),
  )
  return (
    <Panel title="Share of surfaces" note={`Lines in the newest ${counted(guides.length, 'guide')}.`}>
      {guides.length === 0 ? (
        <Empty>No guide was asked for yet.</Empty>
      ) : (
        <Shares label="Share of surfaces" parts={parts} />
      )}
    </Panel>
  )
}

function Outcomes({ seen }: { readonly seen: Snapshot }) {
  const { outcomes } = seen.memory_lifecycle
  const parts: readonly Part[] = [
    { name: 'good', word: 'positive', count: outcomes.positive },
    { name: 'bad', word: 'negative, verified', count: outcomes.negative_strong },
    { name: 'watch', word: 'negative, unverified', count: outcomes.negative_weak },
    { name: 'even', word: 'neutral', count: outcomes.neutral + outcomes.observed_positive },
  ]
  return (
    <Panel title="Outcomes" note="What runs reported about memory they were shown.">
      <Shares label="Outcomes" parts={parts} />
    </Panel>
  )
}

/** Of either list. */
const ROWS_MAX = 6

function Held({ seen }: { readonly seen: Snapshot }) {
  const { contested, failed, suppressed, most_hurting: hurting } = seen.incidents
  const rows = [
    ...contested.entries.map((entry) => ({ ...entry, state: 'contested' })),
    ...failed.entries.map((entry) => ({ ...entry, state: 'failed' })),
    ...suppressed.entries.map((entry) => ({ ...entry, state: 'suppressed' })),
  ].slice(0, ROWS_MAX)
  const others = hurting
    .filter(({ memory_id: id }) => rows.every((row) => row.memory_id !== id))
    .slice(0, ROWS_MAX)
  return (
    <Panel
      title="Incidents"
      note="Memory that evidence or a person holds back, and memory with the least credit."
    >
      {rows.length + others.length === 0 && <Empty>None.</Empty>}
      <ul class="rows">
        {rows.map(({ memory_id, title, state, cause }) => (
          <li key={`${state} ${memory_id}`}>
            <Named id={memory_id} name={title ?? undefined} />
            <StateMark state={state} />
            {cause !== null && <span class="soft">{cause.replaceAll('_', ' ')}</span>}
          </li>
        ))}
        {others.map(({ memory_id, title, credit }) => (
          <li key={`credit ${memory_id}`}>
            <Named id={memory_id} name={title ?? undefined} />
            <span class="soft">credit {credit}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function ServiceHealth({ health }: { readonly health: Health }) {
  const { storage, actors } = health
  const hours = health.uptime_s / 3600
  const uptime =
    hours >= 48
      ? `${Math.floor(hours / 24)} days`
      : hours >= 1
        ? `${Math.floor(hours)} h`
        : `${Math.floor(health.uptime_s / 60)} min`
  return (
    <Panel title="Service">
      <Facts
        rows={[
          ['Status', health.status.replaceAll('_', ' ')],
          ['Version', health.version],
          ['Up for', uptime],
          ['Storage', `${storage.backend}, durability ${storage.durability}`],
          ['Disk', storage.read_only ? 'read only' : storage.low_space ? 'little space left' : 'has room'],
          ['Scopes', `${numeral(actors.resident)} of ${numeral(actors.known)} in memory`],
        ]}
      />
    </Panel>
  )
}
