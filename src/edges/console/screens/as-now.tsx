import { useState } from 'preact/hooks'
import { Empty, Named, Panel, Row, Table, Waiting } from '../parts/common.tsx'
import { HostileText, promptLines } from '../parts/hostile-text.tsx'
import { SurfaceMark } from '../parts/marks.tsx'
import { stateWord, wordOf } from '../parts/words.ts'
import { where } from '../state/place.ts'
import { type Read, useRead } from '../state/use-read.ts'
import { type GuideDetail, type Guides, get, type Recorded, type RecordedAnswer } from '../wire/call.ts'

type Difference = Recorded['differences'][number]

const MISSING: Readonly<Record<string, string>> = {
  not_asked: 'It was not asked for.',
  expired: 'What was asked is kept no longer, so that it cannot be asked again.',
  erased: 'The query went with memory that was erased.',
  supplied: 'This scope holds no such guide.',
}

/** The lists of then and of now beside each other. Nothing is shown to an agent by that. */
export function AsNow({
  read,
  detail,
}: {
  readonly read: Read<RecordedAnswer>
  readonly detail: GuideDetail
}) {
  const recorded = read.answer?.agent_flight_recorder
  const changed = recorded?.differences.filter(isChanged).length ?? 0
  return (
    <Panel
      title="As it would be now"
      note="The same question, decided on the memory of this moment. No agent is shown anything by looking."
      aside={
        recorded?.now == null ? null : (
          <span class={`tag tone-${changed === 0 ? 'calm' : 'watch'}`}>
            {changed === 0 ? 'nothing has changed' : `${changed} changed`}
          </span>
        )
      }
    >
      {recorded === undefined && <Waiting {...read} />}
      {recorded !== undefined && recorded.now === null && (
        <Empty>{MISSING[recorded.now_missing ?? ''] ?? 'It cannot be told.'}</Empty>
      )}
      {recorded !== undefined && recorded.now !== null && (
        <>
          <Differences rows={recorded.differences} names={namesIn(detail)} />
          {detail.prompt.text !== null && recorded.guide_trace_id !== null && (
            <BothPrompts id={recorded.guide_trace_id} then={detail.prompt.text} />
          )}
        </>
      )}
    </Panel>
  )
}

const CHANGES: Readonly<Record<Difference['change'], string>> = {
  same: 'the same',
  moved: 'another surface',
  order_changed: 'another place',
  no_longer_shown: 'no longer shown',
  newly_shown: 'newly shown',
}

function isChanged({ change }: Difference): boolean {
  return change !== 'same'
}

function Differences({
  rows,
  names,
}: {
  readonly rows: readonly Difference[]
  readonly names: ReadonlyMap<string, string>
}) {
  if (rows.length === 0) return <Empty>No memory then, and none now.</Empty>
  return (
    <Table kind="plain differences" label="Then and now" columns={['Memory', 'Then', 'Now', 'Difference']}>
      {rows.map((row) => (
        <Row
          key={row.memory_id}
          kind={isChanged(row) ? 'is-changed' : ''}
          of={[
            <Named id={row.memory_id} name={names.get(row.memory_id)} />,
            <Placed place={row.before} />,
            <Placed place={row.now} />,
            <>
              {isChanged(row) ? <strong>{CHANGES[row.change]}</strong> : CHANGES.same}
              <Causes row={row} />
            </>,
          ]}
        />
      ))}
    </Table>
  )
}

function Placed({ place }: { readonly place: Difference['before'] }) {
  if (place === null) return <span class="soft">not shown</span>
  return (
    <>
      <SurfaceMark surface={place.agent_surface} />{' '}
      <span class="soft">
        at {place.position + 1}, {place.rule_id}
      </span>
    </>
  )
}

function Causes({ row }: { readonly row: Difference }) {
  if (row.causes.length === 0) return null
  return (
    <span class="soft">
      {': '}
      {row.causes.map((cause, at) => (
        <span key={at}>
          {at > 0 && '; '}
          {wordOf(cause.kind)}
          {cause.to !== undefined && `, ${wordOf(cause.facet ?? '')} to ${stateWord(cause.to)}`}
        </span>
      ))}
    </span>
  )
}

/** What the lines of the prompt said, by memory. */
function namesIn({ prompt, memories }: GuideDetail): ReadonlyMap<string, string> {
  const ids = new Map(memories.map(({ handle, memory_id: id }) => [handle ?? id, id]))
  const lines = promptLines(prompt.text ?? '')
  return new Map(
    lines.flatMap(({ name, text }) => (name === null ? [] : [[ids.get(name) ?? name, text] as const])),
  )
}

/** Both prompts beside each other, read when they are asked for. A line that the other does not have is marked. */
function BothPrompts({ id, then }: { readonly id: string; readonly then: string }) {
  const [isOpen, setOpen] = useState(false)
  const call = get('/v1/operator/guides', { ...where(), guide_trace_id: id, as_now: true })
  const [guide] = useRead<Guides>(isOpen ? call : null).answer?.items ?? []
  const now = guide?.detail?.now?.text ?? null
  return (
    <details class="both" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Both prompts, line by line</summary>
      {isOpen && guide !== undefined && now === null && <Empty>It cannot be rendered now.</Empty>}
      {now !== null && (
        <div class="sides">
          <PromptSide title="Then" text={then} other={now} word="gone" />
          <PromptSide title="Now" text={now} other={then} word="new" />
        </div>
      )}
    </details>
  )
}

function PromptSide(props: {
  readonly title: string
  readonly text: string
  readonly other: string
  readonly word: string
}) {
  const others = new Set(props.other.split('\n'))
  return (
    <div class="prompt" role="group" aria-label={`Prompt, ${props.title.toLowerCase()}`}>
      <p class="prompt-heading">{props.title}</p>
      {props.text.split('\n').map((line, at) => (
        <p key={at} class={others.has(line) ? 'prompt-plain' : 'prompt-plain is-other'}>
          {!others.has(line) && <strong>{props.word} </strong>}
          <HostileText text={line} />
        </p>
      ))}
    </div>
  )
}
