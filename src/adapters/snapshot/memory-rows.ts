import type { Audience, Facets, MemoryRecord } from '../../core/model/record.ts'
import { pastOf, RecentParts, settingOf } from '../../core/model/shape.ts'
import { NONE, SharedParts, sharedFacets } from '../../core/model/shared-parts.ts'
import { type Remarks, remarksOf, StoredContent } from '../../core/model/stored-content.ts'
import { type Past, type Setting, StoredRecord } from '../../core/model/stored-record.ts'
import { type Span, TableCursor, UnreadTable } from '../binary/table-cursor.ts'

/** A setting that says nothing of one memory alone, and whose it is. */
type Whence = { readonly setting: Setting; readonly audience: Audience }
type Standing = Pick<MemoryRecord, 'claim' | 'handoff' | 'facets' | 'findings'>

/** The order in which records and contents are written; a row of another one is not read here. */
const RECORD_KEYS = [
  'memoryId clientId',
  'domain memoryType kind audience producerAgentId producerTeamId actorName origin',
  'derivedFrom source runId taskId taskFamily taskSignature workflowSignature',
  'content',
  'claim handoff facets findings',
  'createdAtMs observedAtMs slot ordinal',
  'counters marks assertions changes revision revisions',
  'updatedAtMs seq',
].flatMap((line) => line.split(' '))
const CONTENT_KEYS = [
  'title titleIsCallers text',
  'summary outcome outcomeRaw confidence targetFiles acceptanceChecks workflowSteps',
  'tools verifier evidenceRefs rawRef nextAction payload fullTextChars',
].flatMap((line) => line.split(' '))

/**
 * Rows of memories as the records that the state keeps. Of a row that says the same as the one before, but for its text,
 * id and times, nothing else is made: a million rows as objects of their own take a gigabyte that the collector goes
 * through again and again while they are read.
 */
export class MemoryRows {
  readonly #cursor = new TableCursor()
  readonly #parts = new RecentParts()
  readonly #audiences = new SharedParts<Audience>(['lane', 'ownerAgentId', 'ownerTeamId'])
  #recordKeys: readonly string[] = []
  #contentKeys: readonly string[] = []
  #whence: Span<Whence> | null = null
  #remarks: Span<Remarks> | null = null
  #standing: Span<Standing> | null = null
  #past: Span<Past> | null = null

  /** The records of a chunk. Null: it holds something else than records as they are written now. */
  read(body: Buffer): readonly StoredRecord[] | null {
    const records: StoredRecord[] = []
    const cursor = this.#cursor
    try {
      cursor.begin(body)
      for (let left = cursor.list(); left > 0; left -= 1) records.push(this.#record())
      return cursor.isAtEnd ? records : null
    } catch (error) {
      if (error instanceof UnreadTable) return null
      throw error
    }
  }

  // A list of keys is that of a shape: compared once for all rows that have it.
  #record(): StoredRecord {
    const cursor = this.#cursor
    const keys = cursor.record()
    if (keys !== this.#recordKeys) this.#recordKeys = expected(keys, RECORD_KEYS)
    const memoryId = cursor.text()
    const clientId = cursor.value() as MemoryRecord['clientId']
    const whence = cursor.again(this.#whence, this.#readWhence)
    const content = this.#content()
    const standing = cursor.again(this.#standing, this.#readStanding)
    const createdAtMs = cursor.number()
    const observedAtMs = cursor.number()
    const slot = cursor.number()
    const ordinal = cursor.number()
    const past = cursor.again(this.#past, this.#readPast)
    const updatedAtMs = cursor.number()
    const seq = cursor.number()
    this.#whence = whence
    this.#standing = standing
    this.#past = past
    const { audience } = whence.value
    const own = { memoryId, clientId, audience, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
    return new StoredRecord(
      own,
      content,
      standing.value.facets,
      settingWith(whence.value.setting, standing.value),
      past.value,
    )
  }

  #content(): StoredContent {
    const cursor = this.#cursor
    const keys = cursor.record()
    if (keys !== this.#contentKeys) this.#contentKeys = expected(keys, CONTENT_KEYS)
    const title = cursor.value() as string | null
    const titleIsCallers = cursor.value() as boolean
    const text = cursor.text()
    const last = this.#remarks?.value.titleIsCallers === titleIsCallers ? this.#remarks : null
    this.#remarks = cursor.again(last, () => this.#readRemarks(titleIsCallers))
    return new StoredContent(text, title, this.#remarks.value)
  }

  readonly #readWhence = (): Whence => {
    const cursor = this.#cursor
    const domain = cursor.value() as Setting['domain']
    const memoryType = cursor.value() as Setting['memoryType']
    const kind = cursor.value() as Setting['kind']
    const audience = this.#audiences.same(cursor.value() as Audience, (own) => own)
    const setting = settingOf(
      {
        domain,
        memoryType,
        kind,
        producerAgentId: cursor.value() as Setting['producerAgentId'],
        producerTeamId: cursor.value() as Setting['producerTeamId'],
        actorName: cursor.value() as Setting['actorName'],
        origin: cursor.value() as Setting['origin'],
        derivedFrom: cursor.value() as Setting['derivedFrom'],
        source: cursor.value() as Setting['source'],
        runId: cursor.value() as Setting['runId'],
        taskId: cursor.value() as Setting['taskId'],
        taskFamily: cursor.value() as Setting['taskFamily'],
        taskSignature: cursor.value() as Setting['taskSignature'],
        workflowSignature: cursor.value() as Setting['workflowSignature'],
        claim: null,
        handoff: null,
        findings: NONE,
      },
      this.#parts,
    )
    return { setting, audience }
  }

  readonly #readStanding = (): Standing => {
    const cursor = this.#cursor
    return {
      claim: cursor.value() as MemoryRecord['claim'],
      handoff: cursor.value() as MemoryRecord['handoff'],
      facets: sharedFacets(cursor.value() as Facets),
      findings: cursor.value() as MemoryRecord['findings'],
    }
  }

  readonly #readPast = (): Past => {
    const cursor = this.#cursor
    return pastOf({
      counters: cursor.value() as Past['counters'],
      marks: cursor.value() as Past['marks'],
      assertions: cursor.value() as Past['assertions'],
      changes: cursor.value() as Past['changes'],
      revision: cursor.number(),
      revisions: cursor.value() as Past['revisions'],
    })
  }

  #readRemarks(titleIsCallers: boolean): Remarks {
    const cursor = this.#cursor
    return remarksOf(
      {
        titleIsCallers,
        summary: cursor.value() as Remarks['summary'],
        outcome: cursor.value() as Remarks['outcome'],
        outcomeRaw: cursor.value() as Remarks['outcomeRaw'],
        confidence: cursor.number(),
        targetFiles: cursor.value() as Remarks['targetFiles'],
        acceptanceChecks: cursor.value() as Remarks['acceptanceChecks'],
        workflowSteps: cursor.value() as Remarks['workflowSteps'],
        tools: cursor.value() as Remarks['tools'],
        verifier: cursor.value() as Remarks['verifier'],
        evidenceRefs: cursor.value() as Remarks['evidenceRefs'],
        rawRef: cursor.value() as Remarks['rawRef'],
        nextAction: cursor.value() as Remarks['nextAction'],
        payload: cursor.value() as Remarks['payload'],
        fullTextChars: cursor.value() as Remarks['fullTextChars'],
      },
      this.#parts.remarks,
    )
  }
}

/** What was said of one memory alone makes a setting of its own. */
function settingWith(setting: Setting, { claim, handoff, findings }: Standing): Setting {
  if (claim === null && handoff === null && findings.length === 0) return setting
  return settingOf({ ...setting, claim, handoff, findings }, null)
}

function expected(keys: readonly string[], wanted: readonly string[]): readonly string[] {
  const isSame = keys.length === wanted.length && keys.every((key, at) => key === wanted[at])
  if (!isSame) throw new UnreadTable('a record of other keys')
  return keys
}
