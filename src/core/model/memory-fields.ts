import { AVAILABILITIES, STANDINGS, TRUSTS, VALIDITIES } from '../base/closed-sets.ts'
import {
  type ClaimFacts,
  type Content,
  type Facets,
  type HandoffFacts,
  type MemoryRecord,
  NO_COUNTS,
  type Suppression,
} from './record.ts'

// What a memory is made of, field by field: how it is stored, what it shares with other memories, and what an erasure
// leaves of it. Digests, snapshots, erasure and redaction go by these tables.
//
// To keep a new field of observe:
//   contract/memory-input.ts        accept it
//   runtime/normalise/memory.ts     read it
//   core/model/record.ts            give it a type, in `Content` or `MemoryRecord`
//   core/model/memory-fields.ts     say what becomes of it, here; in `searchedTexts` too when it can be found by its words
//   core/model/compact-record.ts    a getter, and its place in `plainRecord` or `plainContent`
// A field of `MemoryRecord` also passes through core/model/commands.ts and core/write/write-memory.ts. The compiler names
// every place that was forgotten. A new field goes to the end of its table, and a snapshot without it is of another schema.

/** How a value is read back from a snapshot: `any` is what the row says. */
export type Codec = 'text' | 'number' | 'content' | 'any'

/**
 * Where the state keeps it. `own`: with each memory. `common`: with each memory, but mostly the same object. `provenance`
 * and `remarks`: in an object that memories share which were written alike. `history`: in one that all share to which
 * nothing has happened.
 */
export type Part = 'own' | 'common' | 'provenance' | 'remarks' | 'history'

interface Field<Value> {
  readonly codec: Codec
  readonly part: Part
  /** What an erasure leaves of the value. */
  readonly erased: (value: Value) => Value
}
type Fields<Of> = { readonly [Name in keyof Of]: Field<Of[Name]> }

/** What an erasure leaves, for every field of one thing. */
type Left<Of> = { readonly [Name in keyof Of]: { readonly erased: (value: Of[Name]) => Of[Name] } }

const stays = <Value>(value: Value): Value => value
const noText = (): string => ''
const nothing = (): null => null
const none = (): readonly never[] => []
const unreasoned = <Said extends { readonly reason: string }>(list: readonly Said[]): readonly Said[] =>
  list.map((said) => ({ ...said, reason: '' }))

/** In the order in which contents are digested and stored. */
export const CONTENT_FIELDS = {
  title: { codec: 'any', part: 'own', erased: nothing },
  titleIsCallers: { codec: 'any', part: 'remarks', erased: () => false },
  text: { codec: 'text', part: 'own', erased: noText },
  summary: { codec: 'any', part: 'remarks', erased: nothing },
  outcome: { codec: 'any', part: 'remarks', erased: nothing },
  outcomeRaw: { codec: 'any', part: 'remarks', erased: nothing },
  confidence: { codec: 'number', part: 'remarks', erased: () => 0 },
  targetFiles: { codec: 'any', part: 'remarks', erased: none },
  acceptanceChecks: { codec: 'any', part: 'remarks', erased: none },
  workflowSteps: { codec: 'any', part: 'remarks', erased: none },
  tools: { codec: 'any', part: 'remarks', erased: none },
  verifier: { codec: 'any', part: 'remarks', erased: none },
  evidenceRefs: { codec: 'any', part: 'remarks', erased: none },
  rawRef: { codec: 'any', part: 'remarks', erased: nothing },
  nextAction: { codec: 'any', part: 'remarks', erased: nothing },
  payload: { codec: 'any', part: 'remarks', erased: nothing },
  fullTextChars: { codec: 'any', part: 'remarks', erased: nothing },
} as const satisfies Fields<Content>

/** Subject, predicate and slot say what a claim is about, and with the value what it said. */
const CLAIM_FIELDS: Left<ClaimFacts> = {
  claimId: { erased: stays },
  subjectKey: { erased: noText },
  predicate: { erased: noText },
  value: { erased: nothing },
  slotKey: { erased: nothing },
  claimKind: { erased: stays },
  conflictPolicy: { erased: stays },
  authority: { erased: stays },
  validFromMs: { erased: stays },
  sourceMemoryId: { erased: stays },
}

/** The anchor is a name that callers gave; it stays, as client ids do. */
const HANDOFF_FIELDS: Left<HandoffFacts> = {
  handoffId: { erased: stays },
  anchor: { erased: stays },
  handoffKind: { erased: noText },
  targetAgentId: { erased: stays },
  targetTeamId: { erased: stays },
  targetRole: { erased: nothing },
  handoffText: { erased: nothing },
  nextAction: { erased: nothing },
  risk: { erased: nothing },
}

/** In the order in which memories are digested and stored: that of `NewMemory`, then what the state adds. */
export const MEMORY_FIELDS = {
  memoryId: { codec: 'text', part: 'own', erased: stays },
  clientId: { codec: 'any', part: 'own', erased: stays },
  domain: { codec: 'any', part: 'provenance', erased: stays },
  memoryType: { codec: 'any', part: 'provenance', erased: stays },
  kind: { codec: 'any', part: 'provenance', erased: nothing },
  audience: { codec: 'any', part: 'common', erased: stays },
  producerAgentId: { codec: 'any', part: 'provenance', erased: stays },
  producerTeamId: { codec: 'any', part: 'provenance', erased: stays },
  actorName: { codec: 'any', part: 'provenance', erased: stays },
  origin: { codec: 'any', part: 'provenance', erased: stays },
  derivedFrom: { codec: 'any', part: 'provenance', erased: none },
  source: { codec: 'any', part: 'provenance', erased: stays },
  runId: { codec: 'any', part: 'provenance', erased: stays },
  taskId: { codec: 'any', part: 'provenance', erased: stays },
  taskFamily: { codec: 'any', part: 'provenance', erased: stays },
  taskSignature: { codec: 'any', part: 'provenance', erased: stays },
  workflowSignature: { codec: 'any', part: 'provenance', erased: stays },
  content: { codec: 'content', part: 'own', erased: (content) => leftOf(CONTENT_FIELDS, content) },
  claim: {
    codec: 'any',
    part: 'provenance',
    erased: (claim) => (claim === null ? null : leftOf(CLAIM_FIELDS, claim)),
  },
  handoff: {
    codec: 'any',
    part: 'provenance',
    erased: (handoff) => (handoff === null ? null : leftOf(HANDOFF_FIELDS, handoff)),
  },
  facets: {
    codec: 'any',
    part: 'common',
    erased: (facets) => ({ ...facets, suppression: withoutReason(facets.suppression) }),
  },
  findings: { codec: 'any', part: 'provenance', erased: none },
  createdAtMs: { codec: 'number', part: 'own', erased: stays },
  observedAtMs: { codec: 'number', part: 'own', erased: stays },
  slot: { codec: 'number', part: 'own', erased: stays },
  ordinal: { codec: 'number', part: 'own', erased: stays },
  counters: { codec: 'any', part: 'history', erased: stays },
  marks: { codec: 'any', part: 'history', erased: unreasoned },
  assertions: { codec: 'any', part: 'history', erased: unreasoned },
  changes: { codec: 'any', part: 'history', erased: unreasoned },
  revision: { codec: 'number', part: 'history', erased: stays },
  revisions: { codec: 'any', part: 'history', erased: none },
  updatedAtMs: { codec: 'number', part: 'own', erased: stays },
  seq: { codec: 'number', part: 'own', erased: stays },
} as const satisfies Fields<MemoryRecord>

type NamesIn<Table, Kept extends Part> = {
  [Name in keyof Table]: Table[Name] extends { readonly part: Kept } ? Name : never
}[keyof Table]

/** Where a memory comes from and what it is about: the same of most memories that one run writes. */
export type Provenance = Pick<MemoryRecord, NamesIn<typeof MEMORY_FIELDS, 'provenance'>>
/** What has happened to a memory since it was written: nothing to most. */
export type History = Pick<MemoryRecord, NamesIn<typeof MEMORY_FIELDS, 'history'>>
/** What is said about a text, the same of most memories. */
export type Remarks = Pick<Content, NamesIn<typeof CONTENT_FIELDS, 'remarks'>>

type Parts = Readonly<Record<string, { readonly part: Part }>>
const PARTS_OF_MEMORY: Parts = MEMORY_FIELDS
const PARTS_OF_CONTENT: Parts = CONTENT_FIELDS

export function isProvenanceName(name: string): name is keyof Provenance {
  return PARTS_OF_MEMORY[name]?.part === 'provenance'
}

function isRemarksName(name: string): name is keyof Remarks {
  return PARTS_OF_CONTENT[name]?.part === 'remarks'
}

export const PROVENANCE_NAMES: readonly (keyof Provenance)[] =
  Object.keys(MEMORY_FIELDS).filter(isProvenanceName)
export const REMARKS_NAMES: readonly (keyof Remarks)[] = Object.keys(CONTENT_FIELDS).filter(isRemarksName)

/** Plain fields without what an erasure takes away; a field that the table does not know stays. */
export function leftOf<Of extends object>(table: Partial<Left<Of>>, of: Of): Of {
  const left: { -readonly [Name in keyof Of]: Of[Name] } = { ...of }
  for (const name in left) {
    const field = table[name]
    if (field !== undefined) left[name] = field.erased(left[name])
  }
  return left
}

export function withoutReason(suppression: Suppression | null): Suppression | null {
  if (suppression === null) return null
  const { earlier } = suppression
  return {
    ...suppression,
    reason: '',
    ...(earlier === undefined ? {} : { earlier: { ...earlier, reason: '' } }),
  }
}

/** The whole of a text of which the record may hold a compact form. */
export function wholeTextOf({ text, fullTextChars, payload }: Content): string {
  const whole = fullTextChars === null ? null : payload?.['full_text']
  return typeof whole === 'string' ? whole : text
}

/**
 * The texts by which a memory can be found: its title, its words, its files and the names it goes by. Their order is that
 * of the recall index.
 */
export function searchedTexts(record: MemoryRecord): readonly (string | null)[] {
  const { content, handoff } = record
  return [
    content.title,
    wholeTextOf(content),
    content.summary,
    content.nextAction,
    handoff?.handoffText ?? null,
    handoff?.anchor ?? null,
    record.clientId,
    record.taskSignature,
    record.workflowSignature,
    record.runId,
    record.actorName,
    record.producerAgentId === record.actorName ? null : record.producerAgentId,
    content.targetFiles.join('\n'),
    content.acceptanceChecks.join('\n'),
    content.workflowSteps.join('\n'),
    content.tools.join('\n'),
    content.evidenceRefs.join('\n'),
  ]
}

/** What tells two occurrences apart whose words are the same. */
type Occurrence = Pick<MemoryRecord, 'memoryType' | 'observedAtMs'>

/**
 * Whether two equal texts say one thing. An event or a piece of evidence is told of one moment: the same words of another
 * moment, or as a fact, say something else.
 */
export function isSameOccurrence(a: Occurrence, b: Occurrence): boolean {
  if (!isOfOneMoment(a) && !isOfOneMoment(b)) return true
  return a.memoryType === b.memoryType && a.observedAtMs === b.observedAtMs
}

export function isOfOneMoment({ memoryType }: Pick<MemoryRecord, 'memoryType'>): boolean {
  return memoryType === 'event' || memoryType === 'evidence'
}

// Most parts of a memory say the same in nearly all memories. Each such part is one object for all of them: a memory of
// 200 characters takes half the heap of one that has every empty list, every facet and every word to itself. Parts are
// immutable, so nobody can tell. Nothing that a caller sent is shared beyond one actor, and not beyond an erasure.

// Not frozen: the engine goes through a frozen list by its slow path.
const NONE: readonly never[] = []

export const NO_HISTORY: History = {
  counters: NO_COUNTS,
  marks: NONE,
  assertions: NONE,
  changes: NONE,
  revision: 1,
  revisions: NONE,
}

const FACETS: readonly Facets[] = TRUSTS.flatMap((trust) =>
  STANDINGS.flatMap((standing) =>
    VALIDITIES.flatMap((validity) =>
      AVAILABILITIES.map(
        (availability): Facets => ({
          trust,
          standing,
          validity,
          validUntilMs: null,
          availability,
          suppression: null,
        }),
      ),
    ),
  ),
)

/** The same facets: one object for all memories that have no end and no suppression. */
export function sharedFacets(facets: Facets): Facets {
  const { trust, standing, validity, availability } = facets
  if (facets.validUntilMs !== null || facets.suppression !== null) return facets
  const isSame = (known: Facets): boolean =>
    known.trust === trust &&
    known.standing === standing &&
    known.validity === validity &&
    known.availability === availability
  return FACETS.find(isSame) ?? facets
}

/** The same history: one object while nothing has happened. */
export function sharedHistory(history: History): History {
  const { counters, marks, assertions, changes, revision, revisions } = history
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = counters
  const isCounted = positive + negativeWeak + negativeStrong + neutral + observedPositive > 0
  const lists = [marks, assertions, changes, revisions]
  if (!isCounted && revision === NO_HISTORY.revision && lists.every((list) => list.length === 0))
    return NO_HISTORY
  return {
    counters: isCounted ? counters : NO_HISTORY.counters,
    marks: shared(marks),
    assertions: shared(assertions),
    changes: shared(changes),
    revision,
    revisions: shared(revisions),
  }
}

/** Recent parts that an actor looks through. */
const PARTS_KEPT = 8

/** Finds a part that says the same among the last few, the last one first. */
export class RecentPart<Part extends object> {
  readonly #names: readonly (keyof Part)[]
  readonly #own: (part: Part) => Part
  readonly #recent: Part[] = []

  /** @param own makes a part to keep of one that no recent one is like */
  constructor(names: readonly (keyof Part)[], own: (part: Part) => Part) {
    this.#names = names
    this.#own = own
  }

  /** A part that says the same. One that holds a list or an object is hardly that of another memory. */
  same(part: Part): Part {
    if (this.#names.some((name) => isFilled(part[name]))) return this.#own(part)
    const at = this.#recent.findIndex((known) => this.#isSame(known, part))
    const found = this.#recent[at] ?? this.#own(part)
    if (at === 0) return found
    if (at > 0) this.#recent.splice(at, 1)
    this.#recent.unshift(found)
    if (this.#recent.length > PARTS_KEPT) this.#recent.pop()
    return found
  }

  forget(): void {
    this.#recent.length = 0
  }

  #isSame(a: Part, b: Part): boolean {
    return this.#names.every((name) => Object.is(a[name], b[name]) || Array.isArray(a[name]))
  }
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null
}

/**
 * The same text in memory of its own. A text that was cut out of a longer one keeps the whole of that alive, and costs
 * a pointer into it besides; joining copies.
 */
export function ownText(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

export function ownName(name: string | null): string | null {
  return name === null ? null : ownText(name)
}

/** The same list: one object for all that are empty. */
export function shared<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NONE : list
}

/** A word as its closed set spells it: what is read from disk brings a string of its own. */
export function spelled<Word extends string>(words: readonly Word[], word: Word): Word {
  return words[words.indexOf(word)] ?? word
}
