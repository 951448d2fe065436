import { useState } from 'preact/hooks'
import {
  Empty,
  Facts,
  Head,
  MemoryLink,
  memoryLinks,
  Panel,
  Refused,
  Row,
  Table,
  Waiting,
  When,
} from '../parts/common.tsx'
import { HostileText, type PromptLine, promptLines, said } from '../parts/hostile-text.tsx'
import { OutcomeMark, SurfaceMark } from '../parts/marks.tsx'
import { counted, GAP_WORDS, OMITTED_WORDS, shortId, stateWord, wordOf } from '../parts/words.ts'
import { linkTo, where } from '../state/place.ts'
import { useRead } from '../state/use-read.ts'
import {
  type Decided,
  type Guide,
  type GuideDetail,
  type Guides,
  get,
  type Memories,
  post,
  type RecordedAnswer,
} from '../wire/call.ts'
import type { Refusal } from '../wire/exchange.ts'
import { AsNow } from './as-now.tsx'

type GuideCalls = ReturnType<typeof guideCalls>

/** What is recorded comes first: rendering the prompt again goes through the journal, which may be long. */
export function guideCalls(id: string) {
  const asked = { ...where(), guide_trace_id: id }
  return {
    guide: get('/v1/operator/guides', { ...asked, with_prompt: false }),
    whole: get('/v1/operator/guides', asked),
    now: post('/v1/audit/flight-recorder', { ...where(), replay_source: 'journal', guide_trace_id: id }),
  }
}

export function GuideView({ id }: { readonly id: string }) {
  const calls = guideCalls(id)
  const read = useRead<Guides>(calls.guide)
  const [guide] = read.answer?.items ?? []
  return (
    <>
      <Head title="One guide" calls={Object.values(calls)}>
        <a class="button quiet" href={linkTo({ screen: 'guides' })}>
          All guides
        </a>
      </Head>
      {guide === undefined ? <Waiting {...read} /> : <GuideWhole guide={guide} calls={calls} />}
    </>
  )
}

export function GuideWhole({ guide, calls }: { readonly guide: Guide; readonly calls: GuideCalls }) {
  const recorded = useRead<RecordedAnswer>(calls.now)
  const whole = useRead<Guides>(calls.whole)
  const { detail } = guide
  if (detail === undefined) return <Empty>The service told nothing of this guide.</Empty>
  const rendered = whole.answer?.items[0]?.detail
  return (
    <>
      <Asked guide={guide} detail={detail} />
      <Prompt
        detail={rendered ?? detail}
        isRendering={rendered === undefined}
        refusal={rendered === undefined ? whole.refusal : null}
      />
      <div class="columns">
        <LeftOut memories={detail.memories.filter(({ omitted }) => omitted !== null)} />
        <CameOfIt detail={detail} />
      </div>
      <AsNow read={recorded} detail={rendered ?? detail} />
    </>
  )
}

function Asked({ guide, detail }: { readonly guide: Guide; readonly detail: GuideDetail }) {
  const { asked } = detail
  return (
    <Panel title="What was asked">
      {asked !== null &&
        (asked.query_text === null ? (
          <p class="soft">The query went with an erased memory.</p>
        ) : (
          <HostileText text={asked.query_text} isBlock />
        ))}
      <Facts
        rows={[
          ['Asked', <When at={guide.at} />],
          ['Agent', <HostileText text={guide.consumer_agent_id} />],
          ['Team', said(guide.consumer_team_id)],
          [
            'Run',
            guide.run_id === null ? null : (
              <a href={linkTo({ screen: 'guides', filters: { run_id: guide.run_id } })}>
                <HostileText text={guide.run_id} />
              </a>
            ),
          ],
          ['Task', said(guide.task_signature)],
          ['Role', said(asked?.agent_role)],
          ['Profile', asked === null ? null : `${wordOf(asked.profile)}, ${wordOf(asked.context_mode)}`],
          ['Budget', asked === null ? null : counted(asked.context_char_budget, 'character')],
          ['Posture', detail.recommended_posture === null ? null : wordOf(detail.recommended_posture)],
          ['Turn', String(guide.seq)],
        ]}
      />
      {guide.held_out && (
        <p class="tag tone-watch">Memory was withheld from this guide, to compare runs with and without.</p>
      )}
    </Panel>
  )
}

function Prompt(props: {
  readonly detail: GuideDetail
  readonly isRendering: boolean
  readonly refusal: Refusal | null
}) {
  const { detail, isRendering, refusal } = props
  const { prompt, memories } = detail
  const [chosen, setChosen] = useState<string | null>(null)
  const byName = new Map(
    memories.flatMap((memory) => [
      [memory.memory_id, memory] as const,
      ...(memory.handle === null ? [] : [[memory.handle, memory] as const]),
    ]),
  )
  const memory = chosen === null ? undefined : byName.get(chosen)
  return (
    <Panel
      title="The prompt, rendered again"
      aside={
        refusal !== null ? null : isRendering ? (
          <span class="tag" role="status">
            rendering it again from the journal…
          </span>
        ) : prompt.reproduced ? (
          <span class="tag tone-calm">reproduced: the same bytes as then</span>
        ) : (
          <span class="tag tone-watch">not reproduced</span>
        )
      }
      {...(prompt.gap === null || isRendering ? {} : { note: GAP_WORDS[prompt.gap] ?? wordOf(prompt.gap) })}
    >
      {refusal !== null && <Refused refusal={refusal} />}
      {prompt.text === null ? (
        <ShownWithoutText memories={memories.filter(({ omitted }) => omitted === null)} />
      ) : (
        <div class={memory === undefined ? 'prompt-pair' : 'prompt-pair is-open'}>
          <div class="prompt" role="group" aria-label="Prompt">
            {promptLines(prompt.text).map((line, at) => (
              <Line
                key={at}
                line={line}
                memory={byName.get(line.name ?? '')}
                chosen={chosen}
                onChoose={setChosen}
              />
            ))}
          </div>
          {memory !== undefined && <Why memory={memory} onClose={() => setChosen(null)} />}
        </div>
      )}
    </Panel>
  )
}

const HEADINGS = [
  { opens: 'USE NOW', surface: 'use_now' },
  { opens: 'DO NOT USE', surface: 'do_not_use' },
  { opens: 'INSPECT', surface: 'inspect_before_use' },
  { opens: 'REHYDRATE', surface: 'rehydrate' },
] as const

function Line(props: {
  readonly line: PromptLine
  readonly memory: Decided | undefined
  readonly chosen: string | null
  readonly onChoose: (name: string | null) => void
}) {
  const { line, memory, chosen, onChoose } = props
  if (line.kind === 'heading') {
    const surface = HEADINGS.find(({ opens }) => line.text.startsWith(opens))?.surface
    return <p class={`prompt-heading of-${surface ?? 'none'}`}>## {line.text}</p>
  }
  if (line.kind === 'plain' || line.name === null) {
    return (
      <p class="prompt-plain">
        <HostileText text={line.text} />
      </p>
    )
  }
  const isChosen = chosen === line.name
  return (
    <button
      type="button"
      data-row
      class={`prompt-line of-${memory?.surface ?? 'none'}`}
      aria-expanded={isChosen}
      onClick={() => onChoose(isChosen ? null : line.name)}
    >
      <span class="prompt-name" title={line.name}>
        [{shortId(line.name)}]
      </span>{' '}
      <HostileText text={line.text} />
      {memory?.rule_id != null && <span class="prompt-rule">{memory.rule_id}</span>}
    </button>
  )
}

/** Why one line is there, and where its memory comes from. */
function Why({ memory, onClose }: { readonly memory: Decided; readonly onClose: () => void }) {
  const read = useRead<Memories>(get('/v1/operator/memories', { ...where(), memory_id: memory.memory_id }))
  const [held] = read.answer?.items ?? []
  return (
    <aside class="why" aria-label="Why this line is there">
      <div class="panel-head">
        <SurfaceMark surface={memory.surface} />
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {memory.reason !== null && <p>{memory.reason}</p>}
      <Facts
        rows={[
          [
            'Rule',
            memory.rule_id === null ? null : (
              <a href={linkTo({ screen: 'rules', id: memory.rule_id })}>{memory.rule_id}</a>
            ),
          ],
          ['Reasons', memory.reason_codes.map(wordOf).join(', ')],
          ['State then', memory.lifecycle_state === null ? null : stateWord(memory.lifecycle_state)],
          ['Found by', memory.recall_sources.map(({ kind }) => wordOf(kind)).join(', ')],
          ['Origin', held?.origin],
          ['Written by', said(held?.producer_agent_id)],
          ['Written', held === undefined ? null : <When at={held.created_at} />],
          ['Derived from', memoryLinks(held?.detail?.derived_from)],
        ]}
      />
      {memory.erased !== null && <p class="soft">This memory was erased since.</p>}
      <a class="button" href={linkTo({ screen: 'memories', id: memory.memory_id })}>
        Open the memory
      </a>
    </aside>
  )
}

function ShownWithoutText({ memories }: { readonly memories: readonly Decided[] }) {
  if (memories.length === 0) return <Empty>No memory was shown.</Empty>
  return (
    <ul class="rows">
      {memories.map((memory) => (
        <li key={memory.memory_id}>
          <SurfaceMark surface={memory.surface} />
          <a data-row class="id" href={linkTo({ screen: 'memories', id: memory.memory_id })}>
            {shortId(memory.memory_id)}
          </a>
          <span class="soft">{memory.reason}</span>
        </li>
      ))}
    </ul>
  )
}

function LeftOut({ memories }: { readonly memories: readonly Decided[] }) {
  return (
    <Panel title="Left out, and why">
      {memories.length === 0 && <Empty>Nothing that was found was left out.</Empty>}
      {memories.length > 0 && (
        <Table kind="plain" label="Left out, and why">
          {memories.map(({ memory_id, surface, omitted, into, rule_id }) => (
            <Row
              key={memory_id}
              of={[
                <MemoryLink id={memory_id} />,
                <SurfaceMark surface={surface} />,
                <>
                  {OMITTED_WORDS[omitted ?? ''] ?? wordOf(omitted ?? '')}
                  {into !== null && [': ', <MemoryLink key={into} id={into} />]}
                </>,
                <span class="soft">{rule_id}</span>,
              ]}
            />
          ))}
        </Table>
      )}
    </Panel>
  )
}

function CameOfIt({ detail }: { readonly detail: GuideDetail }) {
  return (
    <Panel title="What came of it">
      {detail.outcomes.length === 0 && <Empty>No run has reported an outcome for this guide.</Empty>}
      <ul class="rows">
        {detail.outcomes.map((mark, at) => (
          <li key={at}>
            <OutcomeMark outcome={mark.outcome} />
            <MemoryLink id={mark.memory_id} />
            <span>
              <HostileText text={mark.reason} />
            </span>
            <span class="soft">
              <When at={mark.at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
