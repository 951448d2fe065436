import { useEffect, useState } from 'preact/hooks'
import type { Call } from '../wire/call.ts'
import { ask, asRefusal, type Refusal, returns } from '../wire/exchange.ts'

export interface Read<Answer> {
  /** What was answered last; it stays while it is asked again. */
  readonly answer: Answer | null
  readonly refusal: Refusal | null
  readonly isAsking: boolean
}

/** Asks when the call changes, and when the service came back. Null asks nothing. */
export function useRead<Answer>(call: Call | null): Read<Answer> {
  const key = JSON.stringify(call)
  const [held, setHeld] = useState<{ key: string; answer: Answer | null; refusal: Refusal | null }>({
    key: '',
    answer: null,
    refusal: null,
  })
  const back = returns.value
  useEffect(() => {
    if (call === null) return
    const stop = new AbortController()
    ask<Answer>(call, stop.signal).then(
      (answer) => setHeld({ key, answer, refusal: null }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const refusal = asRefusal(error)
        setHeld((before) => ({ key, answer: before.key === key ? before.answer : null, refusal }))
      },
    )
    return () => stop.abort()
  }, [key, back])
  const isCurrent = held.key === key
  return {
    answer: isCurrent ? held.answer : null,
    refusal: isCurrent ? held.refusal : null,
    isAsking: call !== null && !isCurrent,
  }
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export interface Pages<Item> {
  readonly items: readonly Item[]
  readonly isWhole: boolean
  readonly refusal: Refusal | null
  readonly isAsking: boolean
  readonly more: () => void
}

/** Pages asked for: an empty one before the end is gone over, so that a list never looks empty for nothing. */
const EMPTY_PAGES_MAX = 20

interface Held<Item> {
  /** What was asked, and which time. */
  readonly key: string
  readonly session: string
  readonly items: readonly Item[]
  readonly cursor: string | null
  readonly isWhole: boolean
}

/** A list of pages: the first at once, the next ones when asked for. */
export function usePages<Item>(call: Call | null): Pages<Item> {
  const key = JSON.stringify(call)
  const session = `${key} ${returns.value}`
  const fresh: Held<Item> = { key, session, items: [], cursor: null, isWhole: false }
  const [want, setWant] = useState({ session, pages: 1 })
  const [held, setHeld] = useState(fresh)
  const [failed, setFailed] = useState<{ session: string; refusal: Refusal } | null>(null)
  const [answered, setAnswered] = useState('')
  const wanted = want.session === session ? want.pages : 1
  const asking = `${session} ${wanted}`
  useEffect(() => {
    if (call === null) return
    const stop = new AbortController()
    const from = held.session === session && wanted > 1 ? held : fresh
    nextPage<Item>(call, from, stop.signal).then(
      (next) => {
        setHeld(next)
        setFailed(null)
        setAnswered(asking)
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        setFailed({ session, refusal: asRefusal(error) })
        setAnswered(asking)
      },
    )
    return () => stop.abort()
  }, [session, wanted])
  const isCurrent = held.key === key
  return {
    items: isCurrent ? held.items : [],
    isWhole: isCurrent && held.isWhole,
    refusal: failed?.session === session ? failed.refusal : null,
    isAsking: call !== null && answered !== asking,
    more: () => setWant({ session, pages: wanted + 1 }),
  }
}

async function nextPage<Item>(call: Call, from: Held<Item>, signal: AbortSignal): Promise<Held<Item>> {
  let { cursor } = from
  for (let page = 0; page < EMPTY_PAGES_MAX; page += 1) {
    const asked = { ...call, fields: { ...call.fields, ...(cursor === null ? {} : { cursor }) } }
    const answer = await ask<Page<Item>>(asked, signal)
    cursor = answer.next_cursor
    if (answer.items.length > 0 || cursor === null) {
      return { ...from, items: [...from.items, ...answer.items], cursor, isWhole: cursor === null }
    }
  }
  return { ...from, cursor, isWhole: false }
}
