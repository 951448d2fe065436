import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { linkTo, place, SCREENS, where } from '../state/place.ts'
import { session } from '../state/session.ts'
import { type Pages, type Read, useRead } from '../state/use-read.ts'
import { type Call, curlOf, get, type Memories, type Memory } from '../wire/call.ts'
import type { Refusal } from '../wire/exchange.ts'
import { HostileText } from './hostile-text.tsx'
import { agoOf, clockOf, dayOf, shortened, shortId } from './words.ts'

/** The head of a screen: its title, the question it answers, and the requests that it stands on. */
export function Head(props: {
  readonly title?: string
  readonly calls: readonly Call[]
  readonly children?: ComponentChildren
}) {
  const screen = SCREENS.find(({ name }) => name === place.value.screen)
  return (
    <header class="head">
      <div>
        <h1 tabIndex={-1}>{props.title ?? screen?.title ?? 'Scopes'}</h1>
        {screen !== undefined && <p class="question">{screen.question}</p>}
      </div>
      <div class="tools">
        {props.children}
        <CopyButton
          label="Copy as curl"
          text={() =>
            props.calls.map((call) => curlOf(call, location.origin, session.value.isKeyed)).join('\n')
          }
        />
      </div>
    </header>
  )
}

export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [said, setSaid] = useState(label)
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    )
    setSaid(isCopied ? 'Copied' : 'Not copied')
    setTimeout(() => setSaid(label), 1600)
  }
  return (
    <button type="button" class="quiet" onClick={() => void copy()} aria-live="polite">
      {said}
    </button>
  )
}

export function Panel(props: {
  readonly title: string
  readonly note?: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="panel" aria-label={props.title}>
      <div class="panel-head">
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      {props.note !== undefined && <p class="note">{props.note}</p>}
      {props.children}
    </section>
  )
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** What stands in for an answer that is not there. */
export function Waiting({ refusal, isAsking }: Pick<Read<unknown>, 'refusal' | 'isAsking'>) {
  if (refusal !== null) return <Refused refusal={refusal} />
  return isAsking ? (
    <p class="empty" aria-busy="true">
      Reading…
    </p>
  ) : null
}

export function Refused({ refusal }: { readonly refusal: Refusal }) {
  if (refusal.status === 401) return null
  return (
    <div class="refused" role="alert">
      <strong>{refusal.status === 403 ? 'This key may not read here.' : 'This could not be read.'}</strong>
      <p>{refusal.message}</p>
      {refusal.code === 'operator_key_required' && (
        <p>
          The console is for operators: log in with an operator key.{' '}
          <code>memgov keys create --operator</code> makes one.
        </p>
      )}
      <p class="soft">
        {refusal.code}
        {refusal.status > 0 && `, status ${refusal.status}`}
      </p>
    </div>
  )
}

export function When({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${at} (${agoOf(at)})`}>
      {dayOf(at)} <span class="soft">{clockOf(at)}</span>
    </time>
  )
}

interface Linked {
  readonly id: string
  readonly children?: ComponentChildren
}

function IdLink({ screen, id, children }: Linked & { readonly screen: 'memories' | 'guides' }) {
  return (
    <a href={linkTo({ screen, id })} title={id} class={children === undefined ? 'id' : undefined}>
      {children ?? shortId(id)}
    </a>
  )
}

export function MemoryLink(linked: Linked) {
  return <IdLink screen="memories" {...linked} />
}

export function GuideLink(linked: Linked) {
  return <IdLink screen="guides" {...linked} />
}

/** The time of a guide, as the entry of a list that opens it. */
export function GuideEntry({ id, at }: { readonly id: string; readonly at: string }) {
  return (
    <a data-row href={linkTo({ screen: 'guides', id })} title={id}>
      <When at={at} />
    </a>
  )
}

/** Null: there are none. */
export function memoryLinks(ids: readonly string[] = []) {
  return ids.length === 0 ? null : ids.map((id) => <MemoryLink key={id} id={id} />)
}

/** The headings of a table, each with the class of its column if that has one. */
export function Headings({ of }: { readonly of: readonly (string | readonly [string, string])[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => {
          const [heading, kind] = typeof column === 'string' ? [column] : column
          return (
            <th scope="col" key={heading} class={kind}>
              {heading}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** A table that scrolls by itself. @param kind how it looks */
export function Table(props: {
  readonly kind: string
  readonly label: string
  readonly columns?: Parameters<typeof Headings>[0]['of']
  readonly children: ComponentChildren
}) {
  return (
    <div class="scroll">
      <table class={props.kind} aria-label={props.label}>
        {props.columns !== undefined && <Headings of={props.columns} />}
        <tbody>{props.children}</tbody>
      </table>
    </div>
  )
}

/** A row of a table, by what stands in its cells. */
export function Row({ of, kind }: { readonly of: readonly ComponentChildren[]; readonly kind?: string }) {
  return (
    <tr class={kind}>
      {of.map((cell, at) => (
        <td key={at}>{cell}</td>
      ))}
    </tr>
  )
}

/** A line of a form. What else an input takes goes to it. */
export function TextField(
  props: ComponentProps<'input'> & { readonly label: string; readonly onType: (value: string) => void },
) {
  const { label, onType, class: kind, ...input } = props
  return (
    <label class={kind}>
      <span>{label}</span>
      <input
        type="text"
        spellcheck={false}
        {...input}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    </label>
  )
}

/** Name and value, where there is a value. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A list of pages: what stands in for its items where there are none, the items, and what asks for more. */
export function Listed(props: {
  readonly pages: Pages<unknown>
  readonly none: string
  readonly children: ComponentChildren
}) {
  const { pages, none, children } = props
  const isEmpty = pages.items.length === 0
  return (
    <>
      {isEmpty && <Waiting {...pages} />}
      {isEmpty && !pages.isAsking && pages.refusal === null && <Empty>{none}</Empty>}
      {children}
      {!isEmpty && <More pages={pages} />}
    </>
  )
}

/** Of a list that has items: what asks for more of them, or why they could not be read. */
export function More({ pages }: { readonly pages: Pages<unknown> }) {
  const { isWhole, isAsking, refusal, more } = pages
  return (
    <>
      {refusal !== null && <Refused refusal={refusal} />}
      {!isWhole && (
        <p class="more">
          <button type="button" disabled={isAsking} onClick={more}>
            {isAsking ? 'Reading…' : 'Show more'}
          </button>
        </p>
      )}
    </>
  )
}

/** A memory by the name that is known of it, else by what it says now. */
export function Named({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  const call = name === undefined ? get('/v1/operator/memories', { ...where(), memory_id: id }) : null
  const [memory] = useRead<Memories>(call).answer?.items ?? []
  const said = name ?? memory?.title ?? memory?.text ?? ''
  return (
    <>
      <MemoryLink id={id} /> <HostileText text={shortened(said)} />
    </>
  )
}

/** Who said a memory, when, and which one it is. */
export function SaidBy({ memory }: { readonly memory: Memory }) {
  return (
    <>
      {memory.origin}
      {memory.producer_agent_id !== null && (
        <>
          {' '}
          by <HostileText text={memory.producer_agent_id} />
        </>
      )}
      , <When at={memory.created_at} />, <MemoryLink id={memory.memory_id} />
    </>
  )
}
