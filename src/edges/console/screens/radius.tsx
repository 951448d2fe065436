import { useEffect, useState } from 'preact/hooks'
import {
  Empty,
  GuideLink,
  Head,
  MemoryLink,
  Panel,
  Row,
  Table,
  TextField,
  Waiting,
  When,
} from '../parts/common.tsx'
import { HostileText, said } from '../parts/hostile-text.tsx'
import { OutcomeMark, RecordedMark, StateMark, SurfaceMark } from '../parts/marks.tsx'
import { counted, numeral, shortened, stateOf } from '../parts/words.ts'
import { goTo, linkTo, place, where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import { get, type Memories, post, type Radius, type RadiusAnswer } from '../wire/call.ts'
import { Shown } from './guides.tsx'

const SUBJECTS = [
  { value: 'memory_id', label: 'memory' },
  { value: 'client_id', label: 'client id' },
  { value: 'source', label: 'source' },
  { value: 'origin', label: 'origin' },
] as const

type Drawing = typeof import('./radius-graph.tsx')

export function RadiusScreen() {
  const { id, filters } = place.value
  const by = SUBJECTS.find(({ value }) => value === filters['by'])?.value ?? 'memory_id'
  const call = id === null ? null : post('/v1/audit/blast-radius', { ...where(), [by]: id })
  const read = useRead<RadiusAnswer>(call)
  const radius = read.answer?.blast_radius
  return (
    <>
      <Head calls={call === null ? [] : [call]} />
      <SubjectForm key={`${by} ${id}`} by={by} value={id ?? ''} />
      {id === null && <Newest />}
      {id !== null && radius === undefined && <Waiting {...read} />}
      {radius !== undefined && <RadiusWhole radius={radius} />}
    </>
  )
}

const NEWEST = 20

/** Where nothing is named yet: the newest memories, to begin with one of them. */
function Newest() {
  const read = useRead<Memories>(get('/v1/operator/memories', { ...where(), limit: NEWEST }))
  const items = read.answer?.items ?? []
  if (read.answer === null) return <Waiting {...read} />
  if (items.length === 0) return <Empty>There is no memory here yet.</Empty>
  return (
    <Panel title="Begin with one of the newest memories">
      <ul class="rows">
        {items.map((memory) => (
          <li key={memory.memory_id}>
            <a data-row href={linkTo({ screen: 'radius', id: memory.memory_id })} title={memory.memory_id}>
              <HostileText text={shortened(memory.title ?? memory.text ?? 'erased')} />
            </a>
            <Shown guide={memory} none="never shown" />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function SubjectForm({ by, value }: { readonly by: string; readonly value: string }) {
  const [kind, setKind] = useState(by)
  const [typed, setTyped] = useState(value)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    goTo({ id: typed.trim(), filters: { by: kind } })
  }
  return (
    <form class="filters" aria-label="What to trace" onSubmit={submit}>
      <label>
        <span>Trace a</span>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          {SUBJECTS.map(({ value: name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <TextField
        class="wide"
        label="Id or name"
        value={typed}
        required
        autocomplete="off"
        onType={setTyped}
      />
      <button type="submit" class="primary">
        Trace
      </button>
    </form>
  )
}

function RadiusWhole({ radius }: { readonly radius: Radius }) {
  const { memories, derivative_count: derived, guides, runs, dry_run: dry } = radius
  return (
    <>
      <p class="lead">
        {counted(radius.memory_count, 'memory', 'memories')}, {numeral(derived)} derived from{' '}
        {memories.length === 1 ? 'it' : 'them'}, shown in {counted(guides.count, 'guide')}, used in{' '}
        {counted(runs.count, 'run')}. Suppressed, {counted(dry.changed_line_count, 'line')} of{' '}
        {counted(dry.differing_count, 'guide')} would have been warnings.
      </p>
      <Cut radius={radius} />
      <Panel
        title="Graph"
        note="Source, memory, what was derived from it, guides that showed it, runs and how they ended."
      >
        <Graph radius={radius} />
      </Panel>
      <Panel title="As a table">
        <Rows radius={radius} />
      </Panel>
      {guides.is_cut && <p class="soft">Older guides were not looked at.</p>}
    </>
  )
}

/** What the answer counts and does not list, in words; nothing where it lists all. */
function Cut({ radius }: { readonly radius: Radius }) {
  const { memories, derivatives, guides, runs } = radius
  const cut = [
    { what: 'memories', listed: memories.length, found: radius.memory_count },
    { what: 'derived', listed: derivatives.length, found: radius.derivative_count },
    { what: 'guides', listed: guides.entries.length, found: guides.count },
    { what: 'runs', listed: runs.entries.length, found: runs.count },
  ].filter(({ listed, found }) => listed < found)
  if (cut.length === 0) return null
  const words = cut.map(({ what, listed, found }) => `${numeral(listed)} of ${numeral(found)} ${what}`)
  return <p class="soft">Graph and table show {words.join(', ')}.</p>
}

/** What lays it out is loaded by this screen only. */
function Graph({ radius }: { readonly radius: Radius }) {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    let isGone = false
    void import('./radius-graph.tsx').then((loaded) => {
      if (!isGone) setDrawing(loaded)
    })
    return () => {
      isGone = true
    }
  }, [])
  return drawing === null ? <p class="empty">Laying it out…</p> : <drawing.RadiusGraph radius={radius} />
}

function Rows({ radius }: { readonly radius: Radius }) {
  return (
    <Table kind="plain" label="What it has touched" columns={['What', 'Which', 'How', 'When']}>
      {radius.memories.map((memory) => (
        <Row
          key={`m ${memory.memory_id}`}
          of={['memory', ...cellsOf(memory, memory.written.origin), <When at={memory.written.at} />]}
        />
      ))}
      {radius.derivatives.map((memory) => (
        <Row
          key={`d ${memory.memory_id}`}
          of={[`derived, step ${memory.depth}`, ...cellsOf(memory, null), null]}
        />
      ))}
      {radius.guides.entries.map((guide) => (
        <Row
          key={`g ${guide.guide_trace_id}`}
          of={[
            'guide',
            <>
              <GuideLink id={guide.guide_trace_id} /> <HostileText text={guide.consumer_agent_id} />
            </>,
            [...new Set(guide.exposed.map(({ surface }) => surface))].flatMap((surface) => [
              <SurfaceMark key={surface} surface={surface} />,
              ' ',
            ]),
            <When at={guide.at} />,
          ]}
        />
      ))}
      {radius.runs.entries.map((run) => (
        <Row
          key={`r ${run.run_id}`}
          of={[
            'run',
            <a href={linkTo({ screen: 'guides', filters: { run_id: run.run_id } })}>
              <HostileText text={run.run_id} />
            </a>,
            <>
              <OutcomeMark outcome={run.ended} />{' '}
              <span class="soft">{counted(run.outcomes.length, 'report')}</span>
            </>,
            null,
          ]}
        />
      ))}
    </Table>
  )
}

/** Which memory it is, and what is recorded of it. */
function cellsOf(memory: Radius['memories'][number] | Radius['derivatives'][number], origin: string | null) {
  return [
    <>
      <MemoryLink id={memory.memory_id} /> {said(memory.title)}
    </>,
    <>
      <RecordedMark outcome={memory.outcome} /> <StateMark state={stateOf(memory)} />{' '}
      {origin !== null && <span class="soft">{origin}</span>}
    </>,
  ]
}
