import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty, GuideLink, Head, MemoryLink, Refused } from '../parts/common.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { Shape, SurfaceMark } from '../parts/marks.tsx'
import { clockOf, counted, SURFACE_ORDER, shortId, wordOf } from '../parts/words.ts'
import { linkTo, where } from '../state/place.ts'
import { get, type OperatorEvent } from '../wire/call.ts'
import { listen, type StreamEvent } from '../wire/event-stream.ts'
import type { Refusal } from '../wire/exchange.ts'

/** Rows kept: the oldest leave, so that an hour of listening takes no more room than a minute. */
const ROWS_MAX = 400

const KINDS = ['observe', 'guide', 'feedback', 'dispute', 'settle', 'forget', 'erase', 'screening'] as const

const SHAPES: Readonly<Record<string, string>> = {
  observe: 'even',
  guide: 'use_now',
  feedback: 'good',
  dispute: 'inspect_before_use',
  settle: 'rehydrate',
  forget: 'do_not_use',
  erase: 'bad',
  screening: 'do_not_use',
}

interface Row {
  readonly event: StreamEvent
  readonly atMs: number
}

export function LiveScreen() {
  const fields = where()
  const [isPaused, setPaused] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { rows, held, state } = useEvents(fields, isPaused)
  const call = get('/v1/operator/events', fields)
  const shown = rows.filter(({ event }) => !hidden.has(event.type))
  return (
    <>
      <Head calls={[call]}>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? `Go on${held > 0 ? `, ${held} held` : ''}` : 'Pause'}
        </button>
      </Head>
      <p class="note" role="status">
        {state === 'away'
          ? 'The service is away. It is asked again, from the last event on.'
          : isPaused
            ? 'Paused. What comes is kept and shown when you go on.'
            : state === 'opening'
              ? 'Opening the stream.'
              : state !== null
                ? 'Not listening.'
                : `Listening to ${fields.scope} of ${fields.tenant_id}.`}
      </p>
      {typeof state === 'object' && state !== null && <Refused refusal={state} />}
      <Kinds hidden={hidden} onChange={setHidden} />
      {shown.length === 0 && <Empty>Nothing has happened since this screen was opened.</Empty>}
      <ol class="events" aria-label="Events, the newest first">
        {shown.map(({ event, atMs }) => (
          <EventRow key={event.id ?? `${event.type} ${atMs}`} event={event} atMs={atMs} />
        ))}
      </ol>
    </>
  )
}

function useEvents(fields: { readonly tenant_id: string; readonly scope: string }, isPaused: boolean) {
  const [rows, setRows] = useState<readonly Row[]>([])
  const [held, setHeld] = useState(0)
  const [state, setState] = useState<Refusal | 'opening' | 'away' | null>('opening')
  const waiting = useRef<Row[]>([])
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    setRows([])
    setState('opening')
    waiting.current = []
    let frame: number | null = null
    const show = () => {
      frame = null
      if (paused.current) {
        waiting.current.splice(0, waiting.current.length - ROWS_MAX)
        setHeld(waiting.current.length)
        return
      }
      const fresh = waiting.current.splice(0).reverse()
      setRows((before) => [...fresh, ...before].slice(0, ROWS_MAX))
    }
    const stop = listen(fields, {
      onState: setState,
      onEvent: (event) => {
        waiting.current.push({ event, atMs: atOf(event) })
        frame ??= requestAnimationFrame(show)
      },
    })
    return () => {
      stop()
      if (frame !== null) cancelAnimationFrame(frame)
    }
  }, [fields.tenant_id, fields.scope])
  useEffect(() => {
    if (isPaused) return
    const fresh = waiting.current.splice(0).reverse()
    setHeld(0)
    if (fresh.length > 0) setRows((before) => [...fresh, ...before].slice(0, ROWS_MAX))
  }, [isPaused])
  return { rows, held, state }
}

/** Named as the table of the contract names them; any other says that something is missing. */
function isOperatorEvent(event: StreamEvent): event is StreamEvent & { readonly data: OperatorEvent } {
  return KINDS.some((kind) => kind === event.type)
}

function atOf({ data }: StreamEvent): number {
  return typeof data['at'] === 'string' ? Date.parse(data['at']) : Date.now()
}

function Kinds(props: {
  readonly hidden: ReadonlySet<string>
  readonly onChange: (hidden: ReadonlySet<string>) => void
}) {
  const toggle = (kind: string) => {
    const next = new Set(props.hidden)
    if (!next.delete(kind)) next.add(kind)
    props.onChange(next)
  }
  return (
    <fieldset class="kinds">
      <legend class="sr-only">Kinds of events</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={!props.hidden.has(kind)} onChange={() => toggle(kind)} />
          {kind}
        </label>
      ))}
    </fieldset>
  )
}

function EventRow({ event, atMs }: { readonly event: StreamEvent; readonly atMs: number }) {
  const { type, data } = event
  if (!isOperatorEvent(event)) {
    return (
      <li class="event is-gap" data-event={event.id}>
        <Shape of="none" />
        <span>
          {type === 'dropped'
            ? `${counted(Number(data['dropped'] ?? 0), 'event')} left out: the page was too slow.`
            : `Events are missing here: ${wordOf(typeof data['reason'] === 'string' ? data['reason'] : type)}.`}
        </span>
      </li>
    )
  }
  return (
    <li class="event" data-event={event.id}>
      <Shape of={SHAPES[type] ?? 'none'} />
      <time class="soft" dateTime={new Date(atMs).toISOString()}>
        {clockOf(new Date(atMs).toISOString())}
      </time>
      <strong>{wordOf(type)}</strong>
      <span class="event-fields">
        <EventFields data={event.data} />
      </span>
    </li>
  )
}

const SHOWN_IDS_MAX = 6

function EventFields({ data }: { readonly data: OperatorEvent }) {
  const { guide_trace_ids: guides, memory_ids: ids, shown, screened, changes, what } = data
  const surfaces = SURFACE_ORDER.map((surface) => ({
    surface,
    count: shown.reduce((sum, run) => sum + (run.surface === surface ? run.count : 0), 0),
  })).filter(({ count }) => count > 0)
  return (
    <>
      {what !== null && <span>{wordOf(what)}</span>}
      {guides.slice(0, SHOWN_IDS_MAX).map((id) => (
        <span key={id}>
          guide <GuideLink id={id} />
        </span>
      ))}
      {surfaces.map(({ surface, count }) => (
        <span key={surface}>
          {count} <SurfaceMark surface={surface} />
        </span>
      ))}
      {ids.length > 0 && (
        <span>
          {ids.length === 1 ? 'memory ' : `${ids.length} memories `}
          {ids.slice(0, SHOWN_IDS_MAX).map((id) => (
            <span key={id}>
              <MemoryLink id={id} />{' '}
            </span>
          ))}
          {ids.length > SHOWN_IDS_MAX && '…'}
        </span>
      )}
      {screened.map(({ memory_id: id, findings }) => (
        <span key={id}>found {findings.map(wordOf).join(', ')}</span>
      ))}
      {changes.map(({ memory_id: id, facet, to, cause }, at) => (
        <span key={at}>
          <MemoryLink id={id} /> {facet} {to === null ? 'ended' : wordOf(to)}, {wordOf(cause)}
        </span>
      ))}
      {data.consumer_agent_id !== null && (
        <span class="soft">
          for <HostileText text={data.consumer_agent_id} />
        </span>
      )}
      {data.run_id !== null && (
        <span class="soft">
          run <HostileText text={shortId(data.run_id)} />
        </span>
      )}
      {data.key_id !== null && <span class="soft">key {data.key_id}</span>}
    </>
  )
}

/** Shown where no scope is chosen: nothing is listened to of two scopes at once. */
export function ChooseFirst() {
  return (
    <>
      <Head calls={[]} />
      <Empty>
        <a href={linkTo({ screen: 'scopes' })}>Choose a tenant and a scope</a> to listen to it.
      </Empty>
    </>
  )
}
