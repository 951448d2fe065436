import { hash } from 'node:crypto'
import { type AnyObject, isObject } from '../../core/base/collections.ts'
import { type Candidate, candidateOf, type MapperOptions } from '../../mappers/mappers.ts'
import { refused } from './forward.ts'
import { type Asked, isForeign, type Judged, type Owners, scopeOf, type Verdict } from './judge.ts'
import type { Shape, Upstream } from './upstreams.ts'

const ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,128})$/i
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const WORD = /^[\p{L}\p{N}_.:@+-]{0,24}$/u

/** An id, a time, one short word or none: nothing that could tell a reader to do something. */
export function isPlain(text: string): boolean {
  return text.trim() === '' || WORD.test(text) || ID.test(text) || TIME.test(text)
}

/**
 * A copy in which every text that could say something is what `change` makes of it. Names of members are read too, as
 * `change` sees them; words of one list are seen as one text, and a list that is changed becomes that text.
 */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return isPlain(value) ? value : change(value)
  if (Array.isArray(value)) {
    if (!isOfWords(value)) return value.map((each: unknown) => withTexts(each, change))
    const joined = value.join(' ')
    const changed = isPlain(joined) ? joined : change(joined)
    return changed === joined ? value : [changed]
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isPlain(name) ? name : change(name),
      withTexts(inner, change),
    ]),
  )
}

/** Words that are a sentence together, but for ids and times. */
function isOfWords(list: readonly unknown[]): boolean {
  if (list.length < 2 || !list.every((each) => typeof each === 'string' && !/\s/.test(each))) return false
  return !list.every((each) => typeof each === 'string' && (ID.test(each) || TIME.test(each)))
}

/** Every text of a value that could say something, each once. */
export function textsIn(value: unknown): readonly string[] {
  const texts = new Set<string>()
  withTexts(value, (text) => {
    texts.add(text)
    return text
  })
  return [...texts]
}

// What a governed answer holds, and what is left of it. Everything that could say something to a reader is judged: the text
// of each row, the rest of the row beside it, and whatever the answer says apart from rows.

export interface AnswerSettings {
  readonly upstream: Upstream
  readonly owners: Owners
  /** Null: each row is judged in the scope of its owner. */
  readonly scope: string | null
  /** The operator vouches for what the store holds. */
  readonly isTrusted: boolean
  readonly nowMs: number
}

/** An answer that has been read. What is asked about rows is kept as evidence, what is asked about texts is not. */
export interface AnswerReading {
  readonly rows: readonly Asked[]
  readonly texts: readonly Asked[]
  /** What is passed on. Null: the one row that was asked for is held back. */
  render(
    rows: Judged | null,
    texts: Judged | null,
  ): { readonly body: unknown; readonly heldBack: number } | null
}

/** As many rows and texts as one answer may have. */
const ROWS_MAX = 2_000
const TEXTS_MAX = 1_000
/** The sentence in the place of a text that is held back. */
const HELD_BACK = '[held back by memgov]'

/** @throws upstream_answer_refused when the answer has another shape */
export function readAnswer(given: unknown, shape: Shape, settings: AnswerSettings): AnswerReading {
  const answer = withoutLabels(given)
  switch (shape.kind) {
    case 'texts':
      return textsReading(answer, settings)
    case 'row':
      return rowReading(answer, settings)
    case 'rows':
      return rowsReading(answer, shape, settings)
  }
}

/** What was not judged, because memgov could not be asked and the operator lets it pass. */
export const UNJUDGED: Verdict = {
  surface: 'inspect_before_use',
  reason_codes: ['not_governed'],
  guide_trace_id: null,
  scope: '',
}

function rowReading(answer: unknown, settings: AnswerSettings): AnswerReading {
  // Nothing is there.
  if (answer === null) return { rows: [], texts: [], render: () => ({ body: null, heldBack: 0 }) }
  const row = asRow(answer)
  const asked = askedOf(row, settings)
  return {
    rows: [asked],
    texts: [],
    render: (judged) => {
      const verdict = judged?.verdicts[0] ?? UNJUDGED
      return isHeldBack(verdict) ? null : { body: labelled(row, verdict, asked), heldBack: 0 }
    },
  }
}

interface RowList {
  /** Null: the answer is the list. */
  readonly name: string | null
  readonly rows: readonly AnyObject[]
}

function rowsReading(
  answer: unknown,
  shape: Shape & { kind: 'rows' },
  settings: AnswerSettings,
): AnswerReading {
  const { upstream } = settings
  const lists = rowListsIn(answer, shape)
  const rows = lists.flatMap((list) => list.rows)
  if (rows.length > ROWS_MAX) throw refused('size', `more than ${ROWS_MAX} rows: ask for fewer at once`)
  const asked = apart(rows.map((row) => askedOf(row, settings)))
  const once = [...new Set(asked)]
  const places = new Map(once.map((each, at) => [each, at]))
  const isList = Array.isArray(answer)
  const whole = isObject(answer) ? answer : {}
  const ready = upstream.readyText === null ? undefined : whole[upstream.readyText]
  // One that is no text is judged with what stands beside the rows.
  const readyText = typeof ready === 'object' && ready !== null ? null : upstream.readyText
  const besides = Object.fromEntries(
    Object.entries(whole).filter(
      ([name]) => !lists.some((list) => list.name === name) && name !== readyText && !PAGES.includes(name),
    ),
  )
  // With rows, what memgov prints of them takes the place of the ready text; without, it is the ready text, line by line.
  const lines = rows.length === 0 && typeof ready === 'string' ? linesOf(ready, settings) : []
  const other = textsReading(besides, settings)
  return {
    rows: [...once, ...lines],
    texts: other.texts,
    render: (judged, texts) => {
      const verdictAt = (at: number) => judged?.verdicts[at] ?? UNJUDGED
      let at = 0
      let heldBack = 0
      const kept = new Map<string | null, readonly AnyObject[]>()
      for (const { name, rows: inside } of lists) {
        const here = inside.flatMap((row) => {
          const about = asked[at++]
          if (about === undefined) return []
          const verdict = verdictAt(places.get(about) ?? -1)
          if (!isHeldBack(verdict)) return [labelled(row, verdict, about)]
          heldBack += 1
          return []
        })
        kept.set(name, here)
      }
      if (isList) return { body: kept.get(null) ?? [], heldBack }
      heldBack += lines.filter((_, line) => isHeldBack(verdictAt(once.length + line))).length
      const told = other.render(null, texts)
      const context =
        readyText === null || ready === undefined ? {} : { [readyText]: judged?.promptText ?? ready }
      const [first] = lines.length === 0 ? [] : [verdictAt(0)]
      const about = first === undefined ? {} : { metadata: { memgov: traceOf(first) } }
      const body = {
        ...pagesOf(whole),
        ...(isObject(told?.body) ? told.body : {}),
        ...context,
        ...about,
        ...Object.fromEntries(kept),
      }
      return { body, heldBack: heldBack + (told?.heldBack ?? 0) }
    },
  }
}

function rowListsIn(answer: unknown, { lists, needsRows }: Shape & { kind: 'rows' }): readonly RowList[] {
  if (Array.isArray(answer)) return [{ name: null, rows: answer.map(asRow) }]
  if (!isObject(answer)) throw refused('shape', 'neither an object nor a list')
  const found = lists.flatMap((name): readonly RowList[] => {
    const list = answer[name]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) throw refused('shape', `${name} is no list`)
    return [{ name, rows: list.map(asRow) }]
  })
  if (needsRows && found.length === 0) throw refused('shape', `none of ${lists.join(', ')} is there`)
  return found
}

function textsReading(answer: unknown, settings: AnswerSettings): AnswerReading {
  const found = textsIn(answer)
  if (found.length > TEXTS_MAX) throw refused('size', `more than ${TEXTS_MAX} texts: ask for less at once`)
  const places = new Map(found.map((text, at) => [text, at]))
  return {
    rows: [],
    texts: found.map((text) => ({ candidate: ofText(text, settings), scope: scopeIn(settings, {}) })),
    render: (_rows, judged) => {
      let heldBack = 0
      const body = withTexts(answer, (text) => {
        const verdict = judged?.verdicts[places.get(text) ?? -1] ?? UNJUDGED
        if (!isHeldBack(verdict)) return text
        heldBack += 1
        return HELD_BACK
      })
      return { body, heldBack }
    },
  }
}

function asRow(row: unknown): AnyObject {
  if (!isObject(row)) throw refused('shape', 'a row is no object')
  return row
}

/** A label of ours that the store gives, wherever in its answer, somebody wrote there. */
function withoutLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLabels)
  if (!isObject(value)) return value
  const { metadata } = value
  const { memgov: _forged, ...own } = isObject(metadata) ? metadata : {}
  const whole = isObject(metadata) ? { ...value, metadata: own } : value
  return Object.fromEntries(Object.entries(whole).map(([name, inner]) => [name, withoutLabels(inner)]))
}

/** What is judged of a row: its text, and the rest of what it says as its title. One without text is judged by all its words. */
function askedOf(row: AnyObject, settings: AnswerSettings): Asked {
  const { upstream, owners } = settings
  const { backend } = upstream
  const candidate = candidateOf(backend, row, mappedAs(settings)) ?? ofText(wordsOf(row), settings, row)
  const rest = textsIn(row)
    .filter((text) => text.trim() !== candidate.text)
    .join('\n')
  const { title: _own, ...metadata } = candidate.metadata ?? {}
  const told = {
    ...metadata,
    ...(rest === '' ? {} : { title: rest }),
    ...(isForeign(owners, row) ? { scope: OF_ANOTHER } : {}),
  }
  return { candidate: { ...candidate, metadata: told }, scope: scopeIn(settings, row) }
}

/** All that a row says: of two such rows neither may be taken for the other. */
function wordsOf(row: AnyObject): string {
  const words: string[] = []
  JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === 'string') words.push(value)
    return typeof value === 'bigint' ? null : value
  })
  return words.join(' ').trim() || 'No text.'
}

const VOUCHED = {
  authority: { source_trust: 'trusted', evidence_requirement: 'none' },
  lifecycleHint: 'current',
} as const

function mappedAs({ nowMs, isTrusted }: AnswerSettings): MapperOptions {
  return isTrusted ? { now: nowMs, ...VOUCHED } : { now: nowMs }
}

/** A scope that no request has: the row belongs to somebody else than the request asks for. */
const OF_ANOTHER = 'upstream:another-owner'

function scopeIn({ upstream, owners, scope }: AnswerSettings, row: AnyObject): string | null {
  return scope ?? scopeOf(upstream, owners, row)
}

/** A text that shows nothing may hide something, and govern takes none: it is judged in quotation marks. */
function ofText(text: string, settings: AnswerSettings, row: AnyObject = {}): Candidate {
  const { backend } = settings.upstream
  for (const said of [text, JSON.stringify(text)]) {
    const candidate = candidateOf(backend, { ...row, [TEXT_KEYS[backend]]: said }, mappedAs(settings))
    if (candidate !== null) return candidate
  }
  throw refused('shape', 'a text that cannot be read')
}

const TEXT_KEYS = { mem0: 'memory', graphiti: 'content', zep: 'content' } as const

function linesOf(text: string, settings: AnswerSettings): readonly Asked[] {
  const lines = text.split('\n').map((line) => ({
    isItem: /^\s*[*-]/.test(line),
    said: line.replace(/^[\s*-]+/, '').trim(),
  }))
  // A tag that opens or closes a part says nothing, nor does one word that is no item of a list.
  const words = lines.filter(({ said }) => said !== '' && !/^<\/?[\w-]{1,40}>$/.test(said))
  const told = words.filter(({ isItem, said }) => isItem || !isPlain(said))
  const together = words.map(({ said }) => said).join(' ')
  const rest = told.length > 0 || isPlain(together) ? [] : [together]
  const all = new Set([...told.map(({ said }) => said), ...rest])
  if (all.size > TEXTS_MAX) throw refused('size', `more than ${TEXTS_MAX} lines: ask for less at once`)
  const asked = [...all].map((said) => ({ candidate: ofText(said, settings), scope: scopeIn(settings, {}) }))
  return [...new Set(apart(asked))]
}

/**
 * Govern takes each id once. What is the same is judged once; another text under one id, as a revision of a memory has, is
 * named by its digest, so that what comes of it is about that text wherever it is found again.
 */
function apart(asked: readonly Asked[]): readonly Asked[] {
  const known = new Map<string, { readonly said: string; readonly own: Asked }>()
  return asked.map((each) => {
    const said = JSON.stringify(each)
    let { external_memory_id: id } = each.candidate
    // A store may use such an id itself.
    for (let from = each.candidate.text; (known.get(id)?.said ?? said) !== said; from = said) {
      id += `#${hash('sha256', from).slice(0, DIGEST_CHARS)}`
    }
    const { own } = known.get(id) ?? {
      own: { ...each, candidate: { ...each.candidate, external_memory_id: id } },
    }
    known.set(id, { said, own })
    return own
  })
}

const DIGEST_CHARS = 16

function isHeldBack({ surface }: Verdict): boolean {
  return surface === 'do_not_use'
}

function labelled(row: AnyObject, verdict: Verdict, { candidate }: Asked): AnyObject {
  const { metadata } = row
  const { surface, reason_codes } = verdict
  const label = {
    surface,
    reason_codes,
    external_memory_id: candidate.external_memory_id,
    ...traceOf(verdict),
  }
  return { ...row, metadata: { ...(isObject(metadata) ? metadata : {}), memgov: label } }
}

/** By what feedback and finish name what was shown. */
function traceOf({ guide_trace_id, scope }: Verdict): object {
  return { guide_trace_id, scope }
}

/** Addresses of other pages, which lead around the proxy. */
const PAGES = ['next', 'previous']

/** Of the address of a page only its query is kept: a client asks the proxy for it. */
function pagesOf(whole: AnyObject): AnyObject {
  return Object.fromEntries(
    PAGES.filter((name) => whole[name] !== undefined).map((name) => {
      const page = whole[name]
      const query = typeof page === 'string' && URL.canParse(page, BASE) ? new URL(page, BASE).search : ''
      return [name, query === '' ? null : query]
    }),
  )
}

const BASE = 'http://localhost'
