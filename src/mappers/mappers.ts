// `memgov/mappers`: rows of other stores as candidates of govern. One file without an import, for Node and browsers; the
// build derives its types from it.
//
// Invariant: what a row says of itself can lower a candidate, never raise it. Trust, requirement and a hint that allows use
// come from the caller alone, and neither `scope`, `domain` nor `kind` of a row's metadata is passed on: each of them would
// change how the text is judged.

/** What the caller, not the row, says of a store. */
export interface StoreAuthority {
  readonly source_trust?: 'trusted' | 'known' | 'untrusted' | 'unknown'
  readonly scope?: string
  readonly evidence_requirement?: 'none' | 'inspect_before_use' | 'rehydrate_before_use' | 'blocked'
}

/** The hints that a caller may give; a row whose end has passed is `stale` whatever the caller says. */
export type CallerHint = 'current' | 'procedure' | 'unknown'

/** An element of `candidates` of govern. */
export interface Candidate {
  /** `backend:id` */
  readonly external_memory_id: string
  readonly source_backend: string
  readonly text: string
  readonly lifecycle_hint: CallerHint | 'stale'
  readonly authority?: StoreAuthority
  /** A title, and the times that the store itself wrote. */
  readonly metadata?: {
    readonly title?: string
    readonly updated_at?: string | number
    readonly valid_at?: string | number
    readonly created_at?: string | number
  }
}

export interface MapperOptions {
  /** The time by which an end has passed: a date, or milliseconds since 1970. */
  readonly now: Date | number
  /** Left out, a candidate is at most inspect_before_use. */
  readonly authority?: StoreAuthority | undefined
  /** Default `unknown`. */
  readonly lifecycleHint?: CallerHint | undefined
  /** The field of a payload, of metadata or of a value that holds the text. Left out, the usual names are tried. */
  readonly textKey?: string | undefined
}

type Row = Readonly<Record<string, unknown>>

/** How a store writes its rows. */
interface Store {
  /** Where an answer holds them, by path; an answer that is a list is the rows. */
  readonly lists: readonly string[]
  readonly idOf: (row: Row) => string | null
  readonly textOf: (row: Row, textKey: string | undefined) => string | null
  readonly titleKey: string | null
  /** Objects of a row that the users of the store fill. */
  readonly free: readonly string[]
  /** True: the store writes the times of a row itself. */
  readonly writesTimes: boolean
}

const FACT_TEXTS = ['fact', 'content', 'summary', 'name']
/** How clients and frameworks name the text in a payload, the most frequent first. */
const PAYLOAD_TEXTS = ['text', 'content', 'page_content', 'memory', 'document', 'chunk_text', 'data']

const GRAPH = {
  idOf: (row: Row) => wordOf(row['uuid']),
  textOf: (row: Row) => textAt(row, FACT_TEXTS),
  titleKey: 'name',
  free: ['attributes', 'metadata'],
  writesTimes: true,
} as const

const STORES = {
  mem0: {
    lists: ['results', 'memories'],
    idOf: (row) => wordOf(row['id']),
    textOf: (row) => textAt(row, ['memory', 'new_memory', 'old_memory', 'text', 'data']),
    titleKey: null,
    free: ['metadata'],
    writesTimes: true,
  },
  graphiti: { ...GRAPH, lists: ['facts', 'edges', 'nodes', 'episodes'] },
  zep: {
    ...GRAPH,
    lists: ['edges', 'nodes', 'episodes', 'observations', 'thread_summaries', 'threadSummaries', 'messages'],
  },
  letta: {
    lists: ['results', 'passages'],
    idOf: (row) => wordOf(row['id']),
    textOf: (row) => textAt(row, ['content', 'text']),
    titleKey: null,
    free: ['metadata'],
    writesTimes: true,
  },
  langgraph: {
    lists: ['items'],
    idOf: langgraphId,
    textOf: (row, textKey) => payloadText(row['value'], textKey),
    titleKey: null,
    free: ['value'],
    writesTimes: true,
  },
  openai: {
    lists: ['data'],
    idOf: chunkId,
    textOf: chunkText,
    titleKey: 'filename',
    free: ['attributes'],
    writesTimes: false,
  },
  qdrant: {
    lists: ['result.points', 'result', 'points'],
    idOf: (row) => wordOf(row['id']),
    textOf: (row, textKey) => payloadText(row['payload'], textKey),
    titleKey: null,
    free: ['payload', 'payload.metadata'],
    writesTimes: false,
  },
  pinecone: {
    lists: ['matches', 'result.hits'],
    idOf: (row) => wordOf(row['id']) ?? wordOf(row['_id']),
    textOf: (row, textKey) => payloadText(row['metadata'] ?? row['fields'], textKey),
    titleKey: null,
    free: ['metadata', 'fields'],
    writesTimes: false,
  },
} as const satisfies Record<string, Store>

/** The stores whose rows are known, each the `source_backend` of its candidates. */
export type StoreName = 'mem0' | 'graphiti' | 'zep' | 'letta' | 'langgraph' | 'openai' | 'qdrant' | 'pinecone'

/** Memories of mem0: an answer of search, list or history, or its rows. */
export function fromMem0(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('mem0', answer, options)
}

/** Facts, nodes and episodes of a Graphiti service. */
export function fromGraphiti(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('graphiti', answer, options)
}

/** Edges, nodes, episodes, observations, summaries and messages of Zep; its ready-made `context` is no row. */
export function fromZep(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('zep', answer, options)
}

/** Passages of the archival memory of Letta. */
export function fromLetta(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('letta', answer, options)
}

/** Items of a LangGraph store, as `search` gives them. The id is the namespace and the key. */
export function fromLangGraph(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('langgraph', answer, options)
}

/** Hits of an OpenAI vector store. One file may be hit several times, so the id ends in a digest of the text. */
export function fromOpenAI(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('openai', answer, options)
}

/** Points of Qdrant, asked for with their payload. */
export function fromQdrant(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('qdrant', answer, options)
}

/** Matches of Pinecone, asked for with their metadata, or hits of an index that embeds by itself. */
export function fromPinecone(answer: object, options: MapperOptions): Candidate[] {
  return candidatesFrom('pinecone', answer, options)
}

/** What one request of govern takes: candidates, and characters of each. */
const CANDIDATES_MAX = 200
const TEXT_CHARS_MAX = 200_000
/** Of all texts together: below what a body takes, however many bytes a character has. */
const REQUEST_CHARS_MAX = 1_000_000

/**
 * The candidates of an answer, each once, in its order; a row without text gives none. They are what one request of govern
 * takes: a text above 200 000 characters gives none either, and they end before the 201st, or at 1 000 000 characters in all.
 * @throws TypeError when it holds no rows, or `now` is no time
 */
export function candidatesFrom(store: StoreName, answer: object, options: MapperOptions): Candidate[] {
  const byId = new Map<string, Candidate>()
  let leftChars = REQUEST_CHARS_MAX
  for (const row of rowsOf(store, answer)) {
    const candidate = candidateOf(store, row, options)
    if (candidate === null || candidate.text.length > TEXT_CHARS_MAX) continue
    // One id may name several texts, as the revisions of a memory do.
    const { external_memory_id: id, text } = candidate
    const known = byId.get(id)
    const own = known === undefined || known.text === text ? id : `${id}#${digestOf(text)}`
    if (byId.has(own)) continue
    leftChars -= text.length
    if (leftChars < 0 || byId.size === CANDIDATES_MAX) break
    byId.set(own, { ...candidate, external_memory_id: own })
  }
  return [...byId.values()]
}

/**
 * The candidate of one row; null when the row has no text.
 * @throws TypeError when it is no row, or `now` no time
 */
export function candidateOf(store: StoreName, row: object, options: MapperOptions): Candidate | null {
  const { idOf, textOf, titleKey }: Store = STORES[store]
  if (!isRow(row)) throw new TypeError(`A row of ${store} is an object: give its answer as it came.`)
  const text = wellFormed(textOf(row, options.textKey) ?? '').trim()
  if (text === '') return null
  const { authority, lifecycleHint = 'unknown' } = options
  const title = titleKey === null ? null : textAt(row, [titleKey])
  const metadata = { ...(title === null || title === text ? {} : { title }), ...timesOf(store, row) }
  const id = wellFormed(idOf(row) ?? `#${digestOf(text)}`).trim()
  return {
    external_memory_id: `${store}:${id}`,
    source_backend: store,
    text,
    lifecycle_hint: hintOf(store, row, options.now, lifecycleHint),
    ...(authority === undefined ? {} : { authority }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function rowsOf(store: StoreName, answer: object): readonly Row[] {
  const { lists }: Store = STORES[store]
  const found = Array.isArray(answer)
    ? [answer]
    : lists.map((path) => at(answer, path)).filter((list) => Array.isArray(list))
  if (found.length === 0) {
    throw new TypeError(`No rows of ${store}: give a list of them, or an answer with ${lists.join(', ')}.`)
  }
  return found.flat().map((row: unknown, place) => {
    if (!isRow(row)) throw new TypeError(`Row ${place} of ${store} is no object: give its answer as it came.`)
    return row
  })
}

/** Names under which rows say that they hold no longer. */
const ENDS = ['invalid_at', 'expired_at', 'expiration_date']

/** A row can only take the hint of the caller away. An end that cannot be read leaves open whether it has passed. */
function hintOf(store: StoreName, row: Row, now: Date | number, given: CallerHint): CallerHint | 'stale' {
  const { free }: Store = STORES[store]
  const nowMs = Number(now)
  if (now === null || !Number.isFinite(nowMs))
    throw new TypeError('now is no time: give a Date or milliseconds since 1970.')
  const places = [row, ...free.map((path) => at(row, path)).filter(isRow)]
  const ends = places.flatMap((place) => ENDS.flatMap((name) => valuesAt(place, name)))
  const times = ends.map(endMs)
  if (times.some((time) => time !== null && time <= nowMs)) return 'stale'
  return times.includes(null) ? 'unknown' : given
}

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/
const NUMBER = /^\d{1,16}(?:\.\d+)?$/
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i
/** Seconds since 1970 stay below it for three thousand years, milliseconds are above it since 1973. */
const SECONDS_MAX = 1e11

/** When an end is over; null when it cannot be read. A day is over when the next one begins, in UTC. */
function endMs(end: unknown): number | null {
  const text = typeof end === 'number' ? String(end) : typeof end === 'string' ? end.trim() : ''
  if (end instanceof Date) return Number.isNaN(end.getTime()) ? null : end.getTime()
  if (NUMBER.test(text)) {
    const number = Number(text)
    return number < SECONDS_MAX ? number * 1000 : number
  }
  const isDay = DATE.test(text)
  // PostgreSQL writes a blank before the time, and a zone without minutes.
  const iso = text.replace(' ', 'T').replace(/(:[\d.]+[+-]\d\d)$/, '$1:00')
  const ms = Date.parse(isDay || ZONE.test(iso) ? iso : `${iso}Z`)
  if (Number.isNaN(ms)) return null
  return isDay ? ms + DAY_MS : ms
}

/** Only what the store wrote: a time that users write could make one text outlive another that contradicts it. */
function timesOf(store: StoreName, row: Row): Readonly<Record<string, string | number>> {
  const { writesTimes }: Store = STORES[store]
  if (!writesTimes) return {}
  return Object.fromEntries(
    ['updated_at', 'valid_at', 'created_at'].flatMap((name) => {
      const [time] = valuesAt(row, name)
      if (time instanceof Date && !Number.isNaN(time.getTime())) return [[name, time.toISOString()]]
      // JSON may say 1e999; govern would refuse the whole request.
      const isTime = typeof time === 'string' || (typeof time === 'number' && Number.isFinite(time))
      return isTime ? [[name, time]] : []
    }),
  )
}

function langgraphId(row: Row): string | null {
  const { namespace, key } = row
  const parts = Array.isArray(namespace) ? namespace.map(String) : []
  if (typeof key !== 'string') return null
  return [...parts, key].map((part) => encodeURIComponent(wellFormed(part))).join('/')
}

function chunkText(row: Row): string | null {
  const { content, text } = row
  if (!Array.isArray(content)) return textOrNull(text ?? content)
  return textOrNull(
    content.map((part: unknown) => (isRow(part) ? (textOrNull(part['text']) ?? '') : '')).join('\n'),
  )
}

function chunkId(row: Row): string | null {
  const file = wordOf(row['file_id'])
  return file === null ? null : `${file}#${digestOf(chunkText(row) ?? '')}`
}

function payloadText(payload: unknown, textKey: string | undefined): string | null {
  if (!isRow(payload)) return textOrNull(payload)
  const found = textAt(payload, textKey === undefined ? PAYLOAD_TEXTS : [textKey])
  if (found !== null) return found
  return Object.keys(payload).length === 0 ? null : JSON.stringify(payload, withoutBigInts)
}

/** Of the first name that has a text. */
function textAt(row: Row, names: readonly string[]): string | null {
  for (const name of names) {
    const text = valuesAt(row, name)
      .map(textOrNull)
      .find((each) => each !== null)
    if (text !== undefined && text !== null) return text
  }
  return null
}

/** Clients of these stores write their names in snake_case or in camelCase. */
function valuesAt(row: Row, name: string): readonly unknown[] {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const names = camel === name ? [name] : [name, camel]
  return names
    .map((each) => row[each])
    .filter((value) => value !== undefined && value !== null && value !== '')
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (isRow(inner) ? inner[name] : undefined), value)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What govern counts as no text: a reader of it sees nothing. */
const HIDDEN = /^[\s\p{Cc}\p{DI}\uFFF9-\uFFFB]*$/u

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && !HIDDEN.test(value) ? value : null
}

function wordOf(value: unknown): string | null {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOrNull(value)
}

/** Clients give whole numbers that a double does not hold as bigints, which JSON has not. */
function withoutBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Half of a character is no text: govern refuses ids that hold one. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** FNV-1a over UTF-16 units, twice from different starts: 64 bits that tell the texts of one id apart. */
function digestOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ (unit + place), 0x01000193)
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
