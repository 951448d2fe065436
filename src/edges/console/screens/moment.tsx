import { useState } from 'preact/hooks'
import { Empty, Head, TextField, Waiting } from '../parts/common.tsx'
import { HostileText, said } from '../parts/hostile-text.tsx'
import { goTo, linkTo, place, where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import { type Guide, type Guides, get } from '../wire/call.ts'
import { GuideWhole, guideCalls } from './guide.tsx'

const GUIDES = '/v1/operator/guides'
/** Guides before the moment from which agents are offered, and the team that one asked with last is known. */
const KNOWN_GUIDES = 50
const SECOND_MS = 1000

/** Agent and moment: the last guide at or before it, replayed from the journal. */
export function MomentScreen() {
  const { agent } = place.value.filters
  const at = momentIn(place.value.filters['at'])
  // A moment that is named to the second means all of it.
  const before = at === undefined ? undefined : endOf(at)
  const known = useRead<Guides>(get(GUIDES, { ...where(), made_to: before, limit: KNOWN_GUIDES }))
  // Guides were made for an agent with its team, which a link need not name.
  const named = place.value.filters['team']
  const team = agent === undefined ? null : (named ?? teamOf(known.answer?.items ?? [], agent))
  const asked = { consumer_agent_id: agent, consumer_team_id: team, made_to: before, limit: 1 }
  const call = before === undefined || known.answer === null ? null : get(GUIDES, { ...where(), ...asked })
  const read = useRead<Guides>(call)
  const [guide] = read.answer?.items ?? []
  return (
    <>
      <Head calls={call === null ? [] : [call]} />
      <MomentForm
        key={`${agent} ${named} ${at}`}
        agent={agent ?? ''}
        team={named ?? ''}
        at={at ?? ''}
        known={known.answer?.items ?? []}
      />
      {before === undefined && <Empty>Name a moment, and an agent unless any will do.</Empty>}
      {before !== undefined && read.answer === null && <Waiting {...(call === null ? known : read)} />}
      {read.answer !== null && guide === undefined && (
        <Empty>
          No guide was made at or before that moment{agent !== undefined && ' for '}
          {said(agent)}
          {agent !== undefined && (team === null ? ' without a team: name it if the agent has one' : ' of ')}
          {said(team)}.
        </Empty>
      )}
      {guide !== undefined && <Replayed id={guide.guide_trace_id} />}
    </>
  )
}

function MomentForm(props: {
  readonly agent: string
  readonly team: string
  readonly at: string
  readonly known: readonly Guide[]
}) {
  const [name, setName] = useState(props.agent)
  const [team, setTeam] = useState(props.team)
  const [moment, setMoment] = useState(localOf(props.at === '' ? new Date().toISOString() : props.at))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    goTo({ filters: { agent: name.trim(), team: team.trim(), at: new Date(moment).toISOString() } })
  }
  const names = [...new Set(props.known.map(({ consumer_agent_id: id }) => id))]
  return (
    <form class="filters" aria-label="Agent and moment" onSubmit={submit}>
      <TextField
        label="Agent"
        value={name}
        list="known-agents"
        placeholder="any"
        autocomplete="off"
        onType={setName}
      />
      <datalist id="known-agents">
        {names.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <TextField label="Team" value={team} placeholder="the last one" autocomplete="off" onType={setTeam} />
      <TextField
        class="moment"
        label="Moment"
        type="datetime-local"
        step="1"
        value={moment}
        required
        onType={setMoment}
      />
      <button type="submit" class="primary" data-row>
        Replay
      </button>
    </form>
  )
}

/** A link may say anything: what is no moment is not named. */
function momentIn(text: string | undefined): string | undefined {
  return text === undefined || !/^\d{4}-/.test(text) || Number.isNaN(Date.parse(text)) ? undefined : text
}

function endOf(at: string): string {
  const atMs = Date.parse(at)
  return new Date(atMs + (atMs % SECOND_MS === 0 ? SECOND_MS : 1)).toISOString()
}

function teamOf(known: readonly Guide[], agent: string): string | null {
  return known.find(({ consumer_agent_id: id }) => id === agent)?.consumer_team_id ?? null
}

/** A moment as the field of a form has it: local time, without a zone. */
function localOf(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function Replayed({ id }: { readonly id: string }) {
  const calls = guideCalls(id)
  const read = useRead<Guides>(calls.guide)
  const [guide] = read.answer?.items ?? []
  if (guide === undefined) return <Waiting {...read} />
  return (
    <>
      <p class="note">
        The last guide at or before that moment, for <HostileText text={guide.consumer_agent_id} />:{' '}
        <a href={linkTo({ screen: 'guides', id })}>its own page</a>.
      </p>
      <GuideWhole guide={guide} calls={calls} />
    </>
  )
}
