import { useState } from 'preact/hooks'
import { Empty, Head, Waiting } from '../parts/common.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { goTo, linkTo, place, where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import type { Guides, RecordedAnswer } from '../wire/answers.ts'
import { get, post } from '../wire/call.ts'
import { GuideWhole, guideCalls } from './guide.tsx'

/** Agent and moment: the last guide at or before it, replayed from the journal. */
export function MomentScreen() {
  const { agent, at } = place.value.filters
  const isAsked = at !== undefined
  const call = isAsked
    ? post('/v1/audit/flight-recorder', {
        ...where(),
        replay_source: 'journal',
        decision_time: at,
        consumer_agent_id: agent,
        include_now: false,
      })
    : null
  const read = useRead<RecordedAnswer>(call)
  const id = read.answer?.agent_flight_recorder.guide_trace_id ?? null
  return (
    <>
      <Head calls={call === null ? [] : [call]} />
      <MomentForm key={`${agent} ${at}`} agent={agent ?? ''} at={at ?? ''} />
      {!isAsked && <Empty>Name a moment, and an agent unless any will do.</Empty>}
      {isAsked && read.answer === null && <Waiting {...read} />}
      {isAsked && read.answer !== null && id === null && (
        <Empty>No guide was made at or before that moment.</Empty>
      )}
      {id !== null && <Replayed id={id} />}
    </>
  )
}

function MomentForm({ agent, at }: { readonly agent: string; readonly at: string }) {
  const [name, setName] = useState(agent)
  const [moment, setMoment] = useState(at === '' ? nowLocal() : localOf(at))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    goTo({ filters: { agent: name.trim(), at: new Date(moment).toISOString() } })
  }
  return (
    <form class="filters" aria-label="Agent and moment" onSubmit={submit}>
      <label>
        <span>Agent</span>
        <input
          type="text"
          value={name}
          placeholder="any"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>Moment</span>
        <input
          type="datetime-local"
          step="1"
          value={moment}
          required
          onInput={(event) => setMoment(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Replay
      </button>
    </form>
  )
}

/** A moment as the field of a form has it: local time, without a zone. */
function localOf(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function nowLocal(): string {
  return localOf(new Date().toISOString())
}

function Replayed({ id }: { readonly id: string }) {
  const calls = guideCalls(id)
  const read = useRead<Guides>(get(calls.guide.path, calls.guide.fields))
  const [guide] = read.answer?.items ?? []
  if (guide === undefined) return <Waiting {...read} />
  return (
    <>
      <p class="note">
        The last guide at or before that moment, for <HostileText text={guide.consumer_agent_id} />:{' '}
        <a href={linkTo({ screen: 'guides', id })}>its own page</a>.
      </p>
      <GuideWhole guide={guide} now={calls.now} />
    </>
  )
}
