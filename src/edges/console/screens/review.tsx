import type { ComponentChildren } from 'preact'
import { Head, Listed, MemoryLink, SaidBy } from '../parts/common.tsx'
import { Deeds } from '../parts/deed-form.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { HostileText } from '../parts/hostile-text.tsx'
import { StateMark, SurfaceMark } from '../parts/marks.tsx'
import { agoOf, wordOf } from '../parts/words.ts'
import { activate, settleSkill, suppress } from '../state/deeds.ts'
import { linkTo, place, where } from '../state/place.ts'
import { usePages } from '../state/use-read.ts'
import { get, type Memory, type Waiting } from '../wire/call.ts'
import { Sides, settleDeeds } from './memory.tsx'

const PAGE = 12

const KINDS = [
  { value: 'dispute', label: 'disputes' },
  { value: 'contested', label: 'contested memory' },
  { value: 'incident', label: 'incidents' },
  { value: 'demoted', label: 'demoted by failures' },
  { value: 'candidate', label: 'not trusted, or screened' },
  { value: 'skill', label: 'skill candidates' },
]

/** Exceptions only, the oldest first: what has waited longest is at the top. */
export function ReviewScreen() {
  const { kind } = place.value.filters
  const call = get('/v1/operator/review', { ...where(), kind, order: 'oldest', limit: PAGE })
  const pages = usePages<Waiting>(call)
  return (
    <>
      <Head calls={[call]} />
      <FilterBar fields={[{ name: 'kind', label: 'Only', options: KINDS }]} />
      <Listed
        pages={pages}
        none="Nothing waits for a person. Memory without exceptions is never listed here."
      >
        <div class="stack">
          {pages.items.map((item) => (
            <Case key={keyOf(item)} item={item} />
          ))}
        </div>
      </Listed>
    </>
  )
}

function keyOf({ kind, memories, skill }: Waiting): string {
  return [kind, ...memories.map(({ memory_id: id }) => id), skill?.candidate_id ?? ''].join(' ')
}

function Case({ item }: { readonly item: Waiting }) {
  const [a, b] = item.memories
  if (item.kind === 'skill') return <SkillCase item={item} />
  if (a === undefined) return null
  if (item.kind === 'dispute' && b !== undefined && item.dispute !== null) {
    return (
      <article class="panel case" aria-label={`Dispute about ${wordOf(item.dispute.kind)}`}>
        <CaseHead
          word={`Dispute about ${wordOf(item.dispute.kind)}`}
          since={a.created_at}
          memoryId={a.memory_id}
        />
        <Sides a={a} b={b} yields={item.dispute.yields_memory_id} />
        <IfNobody>
          {item.dispute.yields_memory_id === a.memory_id ? 'A' : 'B'} stays where agents are told to inspect
          it first, and the other one stays as it is.
        </IfNobody>
        <Deeds label="Settle the dispute" deeds={settleDeeds(a, b)} />
      </article>
    )
  }
  return <MemoryCase kind={item.kind} memory={a} />
}

interface Told {
  readonly word: string
  /** What becomes of it if nobody acts. */
  readonly waits: string
}

const TOLD: Readonly<Record<string, Told>> = {
  contested: {
    word: 'Contested by evidence',
    waits:
      'It stays where agents inspect it first, until two verified successes from different runs lift it.',
  },
  incident: {
    word: 'Incident: it failed again',
    waits: 'It stays a warning, until a newer revision of it succeeds.',
  },
  demoted: {
    word: 'Demoted by failures',
    waits: 'It stays where agents inspect it first, until a run that used it succeeds.',
  },
  candidate: {
    word: 'Not trusted yet',
    waits: 'It stays where agents inspect it first. Evidence alone does not make it trusted.',
  },
}

const SCREENED_WAITS = 'It stays where agents inspect it first, with its finding named.'

function MemoryCase({ kind, memory }: { readonly kind: string; readonly memory: Memory }) {
  const isScreened = kind === 'candidate' && memory.findings.length > 0
  const told = TOLD[kind]
  const word = isScreened
    ? `Screened: ${memory.findings.map(wordOf).join(', ')}`
    : (told?.word ?? wordOf(kind))
  const deeds =
    kind === 'candidate'
      ? [activate(memory.memory_id, 'Promote'), suppress(memory.memory_id, 'Reject')]
      : [activate(memory.memory_id, 'Restore'), suppress(memory.memory_id)]
  return (
    <article class="panel case" aria-label={word}>
      <CaseHead word={word} since={memory.updated_at} memoryId={memory.memory_id} />
      <HostileText text={memory.text ?? memory.title ?? ''} isBlock />
      <p class="soft">
        <SurfaceMark surface={memory.surface} /> <StateMark state={memory.lifecycle_state} />{' '}
        <SaidBy memory={memory} />
      </p>
      <IfNobody>{isScreened ? SCREENED_WAITS : told?.waits}</IfNobody>
      <Deeds label="Decide" deeds={deeds} />
    </article>
  )
}

function SkillCase({ item }: { readonly item: Waiting }) {
  const { skill } = item
  if (skill === null) return null
  const steps = skill.trace_derived_skill
  return (
    <article class="panel case" aria-label="Skill candidate">
      <CaseHead word="Skill candidate" since={skill.proposed_at} memoryId={null} />
      {steps === null ? (
        <p class="soft">Its text is withheld: a source is suppressed, or private to somebody else.</p>
      ) : (
        <>
          <p class="said-title">
            <HostileText text={steps.skill_name} />
          </p>
          <ol class="steps">
            {steps.procedure_steps.map((step, at) => (
              <li key={at}>
                <HostileText text={step} />
              </li>
            ))}
          </ol>
          <p class="soft">
            For <HostileText text={steps.applies_when.join('; ')} />
          </p>
        </>
      )}
      <p class="soft">
        From{' '}
        {skill.source_memory_ids.slice(0, 6).map((id) => (
          <span key={id}>
            <MemoryLink id={id} />{' '}
          </span>
        ))}
      </p>
      <IfNobody>No agent sees it. It is proposed again when new runs change its steps.</IfNobody>
      <Deeds
        label="Decide"
        deeds={[settleSkill(skill.candidate_id, 'promote'), settleSkill(skill.candidate_id, 'reject')]}
      />
    </article>
  )
}

function CaseHead(props: {
  readonly word: string
  readonly since: string
  readonly memoryId: string | null
}) {
  const { word, since, memoryId } = props
  const age = <span class="soft">since {agoOf(since)}</span>
  return (
    <div class="panel-head">
      <h2>
        {memoryId === null ? (
          <span data-row tabIndex={0}>
            {word}
          </span>
        ) : (
          <a data-row href={linkTo({ screen: 'memories', id: memoryId })}>
            {word}
          </a>
        )}
      </h2>
      {age}
    </div>
  )
}

function IfNobody({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="if-nobody">
      <strong>If nobody acts:</strong> {children}
    </p>
  )
}
