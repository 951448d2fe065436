import {
  CopyButton,
  Empty,
  Facts,
  GuideEntry,
  GuideLink,
  Head,
  MemoryLink,
  memoryLinks,
  Panel,
  SaidBy,
  Waiting,
  When,
} from '../parts/common.tsx'
import { Deeds } from '../parts/deed-form.tsx'
import { HostileText, said } from '../parts/hostile-text.tsx'
import { Shape, StateMark, SurfaceMark } from '../parts/marks.tsx'
import { counted, percent, shortId, storyOf, wordOf } from '../parts/words.ts'
import { activate, type Deed, settle, suppress, unsuppress } from '../state/deeds.ts'
import { linkTo, place, where } from '../state/place.ts'
import { session } from '../state/session.ts'
import { useRead } from '../state/use-read.ts'
import { curlOf, get, type Memories, type Memory, post } from '../wire/call.ts'

const MEMORIES = '/v1/operator/memories'

export function MemoryView({ id }: { readonly id: string }) {
  const call = get(MEMORIES, { ...where(), memory_id: id })
  const read = useRead<Memories>(call)
  const [memory] = read.answer?.items ?? []
  return (
    <>
      <Head title="One memory" calls={[call]}>
        <a class="button quiet" href={linkTo({ screen: 'memories' })}>
          All memory
        </a>
      </Head>
      {memory === undefined ? <Waiting {...read} /> : <MemoryWhole memory={memory} />}
    </>
  )
}

function MemoryWhole({ memory }: { readonly memory: Memory }) {
  return (
    <>
      <Said memory={memory} />
      {memory.disputes.map((dispute) => (
        <Dispute key={dispute.memory_id} memory={memory} dispute={dispute} />
      ))}
      <div class="columns">
        <Story memory={memory} />
        <div class="stack">
          <Guides memory={memory} />
          {memory.erased === null && <Actions memory={memory} />}
        </div>
      </div>
    </>
  )
}

function Said({ memory }: { readonly memory: Memory }) {
  const { title, text, detail, erased } = memory
  return (
    <Panel
      title="What it says"
      aside={
        <>
          {erased === null && <SurfaceMark surface={memory.surface} />}
          <StateMark state={erased === null ? memory.lifecycle_state : 'erased'} />
        </>
      }
    >
      {erased !== null && (
        <p>
          Erased on <When at={erased.at} />: <HostileText text={erased.reason} />
        </p>
      )}
      {title !== null && (
        <p class="said-title">
          <HostileText text={title} />
        </p>
      )}
      {text !== null && <HostileText text={text} isBlock />}
      {erased === null && (
        <p class="soft">
          {memory.reason} <a href={linkTo({ screen: 'rules', id: memory.rule_id })}>Rule {memory.rule_id}</a>
        </p>
      )}
      <Facts
        rows={[
          ['Id', <span class="id">{memory.memory_id}</span>],
          ['Type', said(memory.kind) ?? wordOf(memory.memory_type)],
          ['Origin', memory.origin],
          ['Written by', said(memory.producer_agent_id)],
          [
            'Lane',
            said(
              `${memory.memory_lane}${memory.owner_agent_id === null ? '' : ` of ${memory.owner_agent_id}`}`,
            ),
          ],
          ['Team', said(memory.owner_team_id)],
          ['Run', said(memory.run_id)],
          ['Task', said(memory.task_signature)],
          ['Ended', memory.outcome],
          ['Files', said(memory.target_files.join(', ') || null)],
          ['Confidence', erased === null ? percent(memory.confidence) : null],
          ['Screening', memory.findings.map(wordOf).join(', ')],
          ['Derived from', memoryLinks(detail?.derived_from)],
        ]}
      />
    </Panel>
  )
}

function Dispute({
  memory,
  dispute,
}: {
  readonly memory: Memory
  readonly dispute: Memory['disputes'][number]
}) {
  const read = useRead<Memories>(get(MEMORIES, { ...where(), memory_id: dispute.memory_id }))
  const [other] = read.answer?.items ?? []
  return (
    <Panel
      title={`In dispute about ${wordOf(dispute.kind)}`}
      note="Both cannot hold. The one that yields is to be inspected first."
    >
      {other === undefined ? (
        <Waiting {...read} />
      ) : (
        <>
          <Sides a={memory} b={other} yields={dispute.yields ? memory.memory_id : other.memory_id} />
          <Deeds label="Settle the dispute" deeds={settleDeeds(memory, other)} />
        </>
      )}
    </Panel>
  )
}

export function settleDeeds(a: Memory, b: Memory): readonly Deed[] {
  return (['a', 'b', 'both', 'neither'] as const).map((verdict) => settle(a.memory_id, b.memory_id, verdict))
}

/** The two sides of a dispute beside each other. */
export function Sides({ a, b, yields }: { readonly a: Memory; readonly b: Memory; readonly yields: string }) {
  return (
    <div class="sides">
      {[
        { letter: 'A', memory: a },
        { letter: 'B', memory: b },
      ].map(({ letter, memory }) => (
        <article key={letter} class="side" aria-label={`Side ${letter}`}>
          <div class="panel-head">
            <strong class="letter">{letter}</strong>
            <span class="soft">{memory.memory_id === yields ? 'yields meanwhile' : 'stands meanwhile'}</span>
            <SurfaceMark surface={memory.surface} />
          </div>
          <HostileText text={memory.text ?? memory.title ?? ''} isBlock />
          <p class="soft">
            <SaidBy memory={memory} />
          </p>
        </article>
      ))}
    </div>
  )
}

function Story({ memory }: { readonly memory: Memory }) {
  return (
    <Panel title="Time line">
      <ol class="story">
        {storyOf(memory).map((step, at) => (
          <li key={at}>
            <Shape of={step.shape} />
            <div>
              <strong>{step.word}</strong>{' '}
              {step.note !== '' && (
                <span class="soft">
                  <HostileText text={step.note} />
                </span>
              )}
              {step.memoryId !== null && (
                <>
                  {' '}
                  by <MemoryLink id={step.memoryId} />
                </>
              )}
              {step.guideId !== null && (
                <>
                  {' '}
                  <GuideLink id={step.guideId}>the guide</GuideLink>
                </>
              )}
              {step.reason !== null && step.reason !== '' && (
                <p class="reason">
                  <HostileText text={step.reason} />
                </p>
              )}
              <p class="soft">
                <When at={step.at} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Guides({ memory }: { readonly memory: Memory }) {
  const guides = memory.detail?.guides ?? []
  const { use_now, inspect_before_use, rehydrate, do_not_use } = memory.shown
  const all = use_now + inspect_before_use + rehydrate + do_not_use
  return (
    <Panel title="Guides that showed it" note={`Shown ${counted(all, 'time')} in all.`}>
      {guides.length === 0 && (
        <Empty>{all === 0 ? 'No guide showed it.' : 'No guide that is still known.'}</Empty>
      )}
      <ul class="rows">
        {guides.map((guide) => (
          <li key={guide.guide_trace_id}>
            <GuideEntry id={guide.guide_trace_id} at={guide.at} />
            <SurfaceMark surface={guide.surface} />
            <span class="soft">
              <HostileText text={guide.consumer_agent_id} />
              {guide.run_id !== null && (
                <>
                  , run <HostileText text={shortId(guide.run_id)} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {memory.detail?.guides_cut === true && <p class="soft">There are more guides than are listed here.</p>}
      <p>
        <a class="button" href={linkTo({ screen: 'radius', id: memory.memory_id })}>
          Blast radius
        </a>
      </p>
    </Panel>
  )
}

/** States that only a word of a person, a newer revision or time brings a memory out of. */
const RESTORABLE = new Set(['contested', 'demoted', 'failed'])

export function memoryDeeds({ memory_id: id, lifecycle_state: state, findings }: Memory): readonly Deed[] {
  if (state === 'suppressed') return [unsuppress(id)]
  const vouch = state === 'candidate' || findings.length > 0 ? [activate(id, 'Promote')] : []
  const restore = RESTORABLE.has(state) ? [activate(id, 'Restore')] : []
  return [...vouch, ...restore, suppress(id)]
}

function Actions({ memory }: { readonly memory: Memory }) {
  const { tenant, scope } = place.value
  const fields = { tenant_id: tenant, scope, memory_ids: [memory.memory_id], reason: 'say why' }
  const command = curlOf(post('/v1/memory/erase', fields), location.origin, session.value.isKeyed)
  const { positive, negative_weak: weak, negative_strong: strong } = memory.counters
  return (
    <Panel
      title="Actions"
      note={`${counted(positive, 'good outcome')}, ${counted(weak + strong, 'bad one')} so far.`}
    >
      <Deeds label="Actions" deeds={memoryDeeds(memory)} />
      <div class="erase">
        <p class="soft">
          The console erases nothing. Where text has to go for good, from memory, history and journal, run
          this:
        </p>
        <pre class="command">
          <code>{command}</code>
        </pre>
        <CopyButton label="Copy the command" text={() => command} />
      </div>
    </Panel>
  )
}
