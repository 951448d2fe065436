// `memgov/langgraph`: a store of LangGraph whose answers are judged. Of LangGraph it imports what is a store.

import { BaseStore, type Item, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint'
import type { GovernBody, GovernResponse } from '../index.ts'
import { type Candidate, candidateOf } from '../mappers/mappers.ts'

/** A client of a service, or an embedded runtime. */
export interface GoverningClient {
  govern(body: GovernBody): Promise<GovernResponse>
}

/** The fields of govern that say who asks and how, and what you, not its rows, say of your store. */
export interface GovernStoreOptions
  extends Omit<GovernBody, 'query_text' | 'candidates' | 'include_records' | 'operation_id'> {
  readonly client: GoverningClient
  /** How far you trust the store. Left out, no item is use_now. */
  readonly authority?:
    | {
        readonly source_trust?: 'trusted' | 'known' | 'untrusted' | 'unknown'
        readonly scope?: string
        readonly evidence_requirement?: 'none' | 'inspect_before_use' | 'rehydrate_before_use' | 'blocked'
      }
    | undefined
  /** What its items are, but for one whose end has passed. Default `unknown`. */
  readonly lifecycleHint?: 'current' | 'procedure' | 'unknown' | undefined
  /** The field of a value that holds its text. Left out, the usual names are tried. */
  readonly textKey?: string | undefined
  /** What the agent is about to do, for reads that name no query. */
  readonly query_text?: string | undefined
  /**
   * When items cannot be judged: `reject` ends the read, `empty` answers as if there were none, `pass` gives them unjudged.
   * Default `reject`.
   */
  readonly onFailure?: 'reject' | 'empty' | 'pass' | undefined
  /** Hears of every read whose items could not be judged. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What was decided about an item that was not held back. */
export interface ItemGovernance {
  readonly external_memory_id: string
  readonly surface: string
  /** One sentence. */
  readonly reason: string
  /** With `record`: by which finish and feedback say what came of it. */
  readonly guide_trace_id: string | null
}

/** Characters of a text that govern takes. */
const TEXT_CHARS_MAX = 200_000
/** Of one request. */
const CANDIDATES_MAX = 200
const REQUEST_CHARS_MAX = 1_000_000
const BACKEND = 'langgraph'
/** The property of an item that holds what was decided. It is not listed, so that the item equals what was stored. */
const MARK = 'memgov'
const ANY_QUERY = 'use stored memory'

/**
 * The store with every read judged: what govern holds back is left out, as if it were not there, and the rest is marked. What
 * is written goes through unchanged. Only the methods of a BaseStore are there: what a store offers beside them would be a way
 * around.
 * @throws TypeError when there is no client
 */
export function governStore(inner: BaseStore, options: GovernStoreOptions): BaseStore {
  if (typeof options.client?.govern !== 'function')
    throw new TypeError('Give a client: createClient() or a runtime.')
  return new GovernedStore(isQueue(inner) ? inner.store : inner, options)
}

/** What a graph gives its nodes queues for the store of the graph, and has no batch of its own. */
function isQueue(store: BaseStore): store is BaseStore & { readonly store: BaseStore } {
  return 'lg_name' in store && store.lg_name === 'AsyncBatchedStore'
}

/** What was decided about an item of a governed store; null: it comes from none, or was not judged. */
export function governanceOf(item: object): ItemGovernance | null {
  const mark: unknown = Object.getOwnPropertyDescriptor(item, MARK)?.value
  return isGovernance(mark) ? mark : null
}

function isGovernance(mark: unknown): mark is ItemGovernance {
  return typeof mark === 'object' && mark !== null && 'surface' in mark && 'external_memory_id' in mark
}

/** Null: held back. */
type Judgement = ItemGovernance | null

class GovernedStore extends BaseStore {
  readonly #inner: BaseStore
  readonly #judge: Judge
  readonly #options: GovernStoreOptions

  constructor(inner: BaseStore, options: GovernStoreOptions) {
    super()
    this.#inner = inner
    this.#options = options
    this.#judge = new Judge(options)
  }

  /** Every other method of a BaseStore comes here. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await this.#inner.batch(operations)
    const reads = operations.map((operation, at) => readOf(operation, results[at]))
    const kept = await this.#kept(reads)
    const answers = reads.map((read, at) => (read === null ? results[at] : answerOf(read, kept)))
    if (!isAnswered(operations, answers)) throw new TypeError('The store gave other results than asked for.')
    return answers
  }

  override start(): void | Promise<void> {
    return this.#inner.start()
  }

  override stop(): void | Promise<void> {
    return this.#inner.stop()
  }

  async #kept(reads: readonly (Read | null)[]): Promise<Kept> {
    const { onFailure = 'reject', onError, query_text } = this.#options
    try {
      const judged = new Map<object, Judgement>()
      for (const [query, asked] of byQuery(reads, query_text ?? ANY_QUERY)) {
        await this.#judge.add(query, asked, judged)
      }
      return (thing) => judged.get(thing)
    } catch (error) {
      onError?.(error)
      if (onFailure === 'reject') throw error
      return onFailure === 'empty' ? () => null : () => undefined
    }
  }
}

function isAnswered<Op extends Operation[]>(
  operations: Op,
  answers: readonly unknown[],
): answers is OperationResults<Op> {
  return answers.length === operations.length
}

/** The text is judged for what the agent is about to do. */
function byQuery(reads: readonly (Read | null)[], otherwise: string): ReadonlyMap<string, readonly Read[]> {
  const found = new Map<string, Read[]>()
  for (const read of reads) {
    if (read === null) continue
    const query = read.query ?? otherwise
    const others = found.get(query)
    if (others === undefined) found.set(query, [read])
    else others.push(read)
  }
  return found
}

/** What was decided about an item or a namespace; undefined: there was nothing to judge. */
type Kept = (thing: object) => Judgement | undefined

/** What an operation has read. */
type Read =
  | { readonly kind: 'get' | 'search'; readonly query: string | null; readonly items: readonly Item[] }
  | { readonly kind: 'list'; readonly query: null; readonly namespaces: readonly string[][] }

/** Null: it has read nothing. */
function readOf(operation: Operation, result: unknown): Read | null {
  if ('namespacePrefix' in operation) {
    const { query } = operation
    const items = Array.isArray(result) ? result.filter(isItem) : []
    return { kind: 'search', query: isShown(query) ? query : null, items }
  }
  if ('value' in operation) return null
  if ('key' in operation) return { kind: 'get', query: null, items: isItem(result) ? [result] : [] }
  return { kind: 'list', query: null, namespaces: Array.isArray(result) ? result : [] }
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'key' in value && 'value' in value
}

function answerOf(read: Read, kept: Kept): unknown {
  if (read.kind === 'list') return read.namespaces.filter((namespace) => kept(namespace) !== null)
  const items = read.items.flatMap((item) => {
    const judgement = kept(item)
    return judgement === null ? [] : [judgement === undefined ? item : marked(item, judgement)]
  })
  return read.kind === 'search' ? items : (items[0] ?? null)
}

/** A copy: a store may give what it keeps. */
function marked(item: Item, judgement: ItemGovernance): Item {
  return Object.defineProperty({ ...item }, MARK, { value: judgement })
}

/** A text to be judged, for what it belongs to: an item or a namespace, which one batch may read several times. */
interface Judged {
  readonly things: readonly object[]
  readonly candidate: Candidate
}

class Judge {
  readonly #options: GovernStoreOptions

  constructor(options: GovernStoreOptions) {
    this.#options = options
  }

  /** Adds what is decided about what was read: an item is held back when any of its texts is. */
  async add(query: string, reads: readonly Read[], judged: Map<object, Judgement>): Promise<void> {
    const items = reads.flatMap((read) => (read.kind === 'list' ? [] : read.items))
    const own = once(items.flatMap((item) => this.#own(item) ?? []))
    const beside = once([
      ...own.flatMap(({ things, candidate }) =>
        things.filter(isItem).flatMap((item) => besideOf(item, candidate) ?? []),
      ),
      ...reads.flatMap((read) => (read.kind === 'list' ? read.namespaces.flatMap(namespaceText) : [])),
    ])
    const decided = await Promise.all([
      ...requests(own).map((request) => this.#ask(query, request, this.#options.record === true)),
      // Of these nobody says what came of them.
      ...requests(beside).map((request) => this.#ask(query, request, false)),
    ])
    const tooLong = [...own, ...beside].filter(({ candidate }) => candidate.text.length > TEXT_CHARS_MAX)
    // What one text of an item has lost another does not give back; what it is marked with is of its own text.
    for (const [thing, judgement] of [
      ...tooLong.flatMap(({ things }) => things.map((thing) => [thing, null] as const)),
      ...decided.flat(),
    ]) {
      if (judgement === null || !judged.has(thing)) judged.set(thing, judgement)
    }
  }

  #own(item: Item): Judged | null {
    const { authority, lifecycleHint, textKey } = this.#options
    const options = { now: Date.now(), authority, lifecycleHint, textKey }
    // Of a value without a text of its own, such as a list, all that an agent may print is the text.
    const candidate =
      candidateOf(BACKEND, item, options) ??
      candidateOf(BACKEND, { ...item, value: judgeable(saidIn(item).join('\n')) }, options)
    return candidate === null ? null : { things: [item], candidate }
  }

  async #ask(
    query_text: string,
    request: readonly Judged[],
    record: boolean,
  ): Promise<readonly (readonly [object, Judgement])[]> {
    const { client } = this.#options
    const { guide_trace_id = null, memory_admission_records } = await client.govern({
      mode: 'firewall',
      ...governFields(this.#options),
      query_text,
      record,
      include_records: true,
      candidates: request.map(({ candidate }) => candidate),
    })
    const records = new Map(memory_admission_records?.map((each) => [each.memory_id, each]))
    return request.flatMap(({ things, candidate: { external_memory_id } }) => {
      const decided = records.get(external_memory_id)
      // Without a decision it is held back.
      const judgement =
        decided === undefined || decided.admission_action === 'do_not_use'
          ? null
          : {
              external_memory_id,
              surface: decided.admission_action,
              reason: decided.reason,
              guide_trace_id,
            }
      return things.map((thing) => [thing, judgement] as const)
    })
  }
}

/** What else of an item an agent may print: the other texts of its value, and names that hold words. */
function besideOf(item: Item, candidate: Candidate): Judged | null {
  const text = judgeable(
    saidIn(item)
      .filter((each) => each !== candidate.text)
      .join('\n'),
  )
  if (text === '' || text === candidate.text) return null
  const external_memory_id = `${candidate.external_memory_id}#beside`
  return { things: [item], candidate: { ...candidate, external_memory_id, text } }
}

function saidIn({ key, value }: Item): readonly string[] {
  return [...new Set([...wordsOf([key]), ...textsIn(value)])]
}

/** A text that shows nothing may hide something, and govern takes none: in quotation marks it is judged. */
function judgeable(text: string): string {
  return text === '' || isShown(text) ? text : JSON.stringify(text)
}

function isShown(text: unknown): text is string {
  return typeof text === 'string' && candidateOf(BACKEND, { value: text }, { now: 0 }) !== null
}

/** A name without a space inside is no sentence. */
function wordsOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\s/.test(name.trim()))
}

function* textsIn(value: unknown): Iterable<string> {
  const inner: unknown[] = [value]
  const seen = new Set<unknown>()
  while (inner.length > 0) {
    const next = inner.pop()
    if (typeof next === 'string' && next.trim() !== '') yield next.trim()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    yield* wordsOf(Object.keys(next))
    const within = next instanceof Map ? [...next].flat() : next instanceof Set ? next : Object.values(next)
    // Too many for the arguments of one call.
    for (const each of within) inner.push(each)
  }
}

function namespaceText(namespace: readonly string[]): readonly Judged[] {
  const text = judgeable(namespace.join(' / ').trim())
  if (text === '') return []
  const id = namespace.map((label) => encodeURIComponent(label.toWellFormed())).join('/')
  const external_memory_id = `${BACKEND}:${id}#namespace`
  const candidate = { external_memory_id, source_backend: BACKEND, text, lifecycle_hint: 'unknown' } as const
  return [{ things: [namespace], candidate }]
}

/** The same text under the same id is asked about once. */
function once(all: readonly Judged[]): readonly Judged[] {
  const found = new Map<string, Judged>()
  for (const { things, candidate } of all) {
    const key = `${candidate.external_memory_id}\n${candidate.text}`
    found.set(key, { things: [...(found.get(key)?.things ?? []), ...things], candidate })
  }
  return [...found.values()]
}

/** As many as one request takes, each id once in it: one that was written meanwhile has two texts. What is too long is in none. */
function requests(all: readonly Judged[]): readonly (readonly Judged[])[] {
  const made: { readonly judged: Judged[]; readonly ids: Set<string>; chars: number }[] = []
  for (const each of all) {
    const { external_memory_id: id, text } = each.candidate
    if (text.length > TEXT_CHARS_MAX) continue
    const last = made.at(-1)
    const fits =
      last !== undefined &&
      !last.ids.has(id) &&
      last.ids.size < CANDIDATES_MAX &&
      last.chars + text.length <= REQUEST_CHARS_MAX
    const request = fits ? last : { judged: [], ids: new Set<string>(), chars: 0 }
    if (!fits) made.push(request)
    request.judged.push(each)
    request.ids.add(id)
    request.chars += text.length
  }
  return made.map(({ judged }) => judged)
}

const OWN_OPTIONS = ['client', 'authority', 'lifecycleHint', 'textKey', 'onFailure', 'onError']

/** What of the options is a field of govern. */
function governFields(options: GovernStoreOptions): Partial<GovernBody> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !OWN_OPTIONS.includes(name)))
}
