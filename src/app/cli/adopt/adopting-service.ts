import { OPERATIONS } from '../../../contract/operations.ts'
import {
  type Address,
  type Answer,
  ClientError,
  getJson,
  numberOf,
  partOf,
  postJson,
  type Reply,
  refusalOf,
  rowsOf,
  textOf,
  wordsOf,
} from '../../../edges/cli/reader.ts'
import type { AdoptInvocation } from '../../../edges/cli/service-arguments.ts'
import { workspaceScope } from '../../../edges/workspace/workspace-scope.ts'
import { type Changes, clientIdOf, type Earlier, type Entry, type Placed } from './changes.ts'

/** Entries in one request: as many as one may name, and far from what a body may hold. */
const BATCH_ENTRIES = 200
const BATCH_CHARS = 1_000_000
/** Who is told to have written what is adopted. */
const ACTOR = 'memgov adopt'

/** What a file of each kind says: how agents are to work, or what somebody noted. */
export const KINDS = { mem0: 'fact', 'server-memory': 'fact', markdown: 'fact', 'agents-md': 'rule' } as const

/** What became of the entries: the memory of each, and how many of them were not there before. */
export interface Adopted {
  readonly memoryIds: readonly string[]
  readonly newCount: number
  /** Memories whose entries are gone from the file. */
  readonly suppressedCount: number
}

/** What was adopted from the file before. Null: it cannot be read, and why. */
export type Earliest =
  | { readonly memories: readonly Earlier[] }
  | { readonly memories: null; readonly why: string }

/** The service would not take it; the message is for a person. */
export class Refused extends Error {}

/**
 * What is sent for an entry. Its line is the run that it comes from and no part of what it says, so that an entry that moved
 * within its file is no revision.
 */
export function nodeOf(from: AdoptInvocation['from'], path: string, { entry, clientId, replaces }: Placed) {
  const { id, text, title, line, observedAt, isStale } = entry
  return {
    client_id: clientId,
    run_id: id === null ? `${path}:${line}` : `${path}:${line} ${id}`,
    kind: KINDS[from],
    origin: 'external',
    text,
    ...(title === null ? {} : { title }),
    ...(observedAt === null ? {} : { observed_at: observedAt }),
    ...(isStale ? { lifecycle_hint: 'stale' } : {}),
    ...(replaces === null ? {} : { supersedes: [replaces.memoryId] }),
    evidence_refs: [path],
  }
}

/** As `nodeOf` writes it behind the path, which may look like that itself. */
const BEHIND_PATH = /^:(\d+)(?: (.*))?$/s

const NO_OPERATOR =
  'What was adopted before is not known, so that an entry that changed stays beside its successor: name the key of an operator who may read by --reader-key-file.'

const ENDED =
  'Memory was suppressed, superseded or has expired, and guides nobody though the file says it; memgov show tells why:'
const ENDED_SHOWN_MAX = 20

interface Addresses {
  readonly address: Address
  /** By which what was adopted before is read. */
  readonly reader: Address
}

export class AdoptingService {
  readonly #invocation: AdoptInvocation
  readonly #address: Address
  readonly #reader: Address
  readonly #path: string
  readonly #cwd: string
  readonly #warnings = new Set<string>()
  /** Null: the one of the key, which an answer tells. */
  #scope: string | null | undefined

  constructor(invocation: AdoptInvocation, { address, reader }: Addresses, path: string, cwd: string) {
    this.#invocation = invocation
    this.#address = address
    this.#reader = reader
    this.#path = path
    this.#cwd = cwd
    this.#scope = invocation.scope ?? undefined
  }

  get scope(): string | null {
    return this.#scope ?? null
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  /** Memory that this command made of the file before, whoever has activated or settled it since. */
  async earlier(entries: readonly Entry[]): Promise<Earliest> {
    try {
      const memories: Earlier[] = []
      for (let cursor: string | null = null; ; ) {
        const at = cursor === null ? {} : { cursor }
        const { isOk, body } = await this.#read({ origin: 'external', limit: BATCH_ENTRIES, ...at })
        if (!isOk) return this.#unknown(textOf(body, 'message') ?? NO_OPERATOR, textOf(body, 'error'))
        memories.push(...rowsOf(body, 'items').flatMap((item) => this.#earlierIn(item) ?? []))
        cursor = textOf(body, 'next_cursor')
        if (cursor === null) return { memories: await this.#withReplaced(memories, entries) }
      }
    } catch (error) {
      if (!(error instanceof ClientError) || this.#invocation.isAgreed) throw error
      return { memories: null, why: `What was adopted before is not known: ${error.message}` }
    }
  }

  #unknown(message: string, code: string | null): Earliest {
    const why =
      code === 'operator_key_required' ? NO_OPERATOR : `What was adopted before is not known: ${message}`
    this.#warnings.add(why)
    return { memories: null, why }
  }

  #earlierIn(item: Answer): Earlier | null {
    const [clientId, memoryId, run] = ['client_id', 'memory_id', 'run_id'].map(
      (name) => textOf(item, name) ?? '',
    )
    const behind = run?.startsWith(this.#path) === true ? run.slice(this.#path.length) : ''
    const [, line, id = null] = BEHIND_PATH.exec(behind) ?? []
    const isOurs = clientId?.startsWith(`adopt:${this.#invocation.from}:`) === true && line !== undefined
    // Erased, it holds its client id no longer.
    if (!isOurs || memoryId === undefined || clientId === undefined || item['erased'] !== null) return null
    const state = textOf(item, 'lifecycle_state')
    return {
      memoryId,
      clientId,
      title: textOf(item, 'title'),
      text: textOf(item, 'text') ?? '',
      line: Number(line),
      id,
      isReplaced: false,
      isLive: !DONE.includes(state),
    }
  }

  /** Marks what an entry of this file superseded, where the file says it again. */
  async #withReplaced(memories: readonly Earlier[], entries: readonly Entry[]): Promise<readonly Earlier[]> {
    const said = new Set(entries.map((entry) => clientIdOf(this.#invocation.from, entry)))
    const ours = new Set(memories.map(({ memoryId }) => memoryId))
    const marked: Earlier[] = []
    for (const each of memories) {
      const [base = ''] = /^adopt:[^:]*:[^:]*/.exec(each.clientId) ?? []
      const isReplaced = !each.isLive && said.has(base) && (await this.#isReplaced(each.memoryId, ours))
      marked.push({ ...each, isReplaced })
    }
    return marked
  }

  async #isReplaced(memoryId: string, ours: ReadonlySet<string>): Promise<boolean> {
    const { body } = await this.#read({ memory_id: memoryId })
    const [item = {}] = rowsOf(body, 'items')
    const last = rowsOf(partOf(item, 'detail'), 'changes').at(-1) ?? {}
    return textOf(last, 'cause') === 'superseded_by_relation' && ours.has(textOf(last, 'by_memory_id') ?? '')
  }

  async #read(fields: object): Promise<Reply> {
    return postJson(this.#reader, OPERATIONS.searchMemories.path, { ...(await this.#place()), ...fields })
  }

  /** What is there already stays as it is. A batch that is refused leaves those before it, and the same call goes on there. */
  async adopt({ placed, removed }: Changes): Promise<Adopted> {
    await this.#refuseOperator()
    const ended = placed.flatMap((each) => each.ended?.memoryId ?? [])
    if (ended.length > 0) this.#warnings.add(`${ENDED} ${ended.slice(0, ENDED_SHOWN_MAX).join(', ')}`)
    const memoryIds: string[] = []
    let newCount = 0
    for (const batch of batches(placed)) {
      const nodes = batch.map((each) => nodeOf(this.#invocation.from, this.#path, each))
      const body = this.#answer(await this.#post('observe', { origin: 'external', actor: ACTOR, nodes }))
      for (const warning of wordsOf(body, 'warnings')) this.#warnings.add(warning)
      memoryIds.push(...wordsOf(body, 'memory_ids'))
      newCount += numberOf(partOf(body, 'observed'), 'general_memory_count')
    }
    const gone = this.#invocation.isSuppressing ? removed.map(({ memoryId }) => memoryId) : []
    for (let at = 0; at < gone.length; at += BATCH_ENTRIES) {
      const memory_ids = gone.slice(at, at + BATCH_ENTRIES)
      const reason = `gone from ${this.#path}`
      const suppress = { operation: 'suppress', target: 'memory', reason, actor: ACTOR, memory_ids }
      this.#answer(await this.#post('forget', suppress))
    }
    return { memoryIds, newCount, suppressedCount: gone.length }
  }

  /** What an operator's key writes is an operator's word, which outweighs a user's; a file must not speak so. */
  async #refuseOperator(): Promise<void> {
    if (this.#address.key === null) return
    const tenant = this.#invocation.tenantId
    const fields = { limit: 1, ...(tenant === null ? {} : { tenant_id: tenant }) }
    const { isOk, body } = await getJson(this.#address, OPERATIONS.listActors.path, fields)
    const code = textOf(body, 'error')
    if (code === 'operator_key_required') return
    if (!isOk && code !== 'scope_forbidden') this.#answer({ isOk, body })
    throw new Refused(
      'The key is that of an operator, and what it writes has the authority of one. Use another: memgov keys create --origin external.',
    )
  }

  #answer({ isOk, body }: Reply): Answer {
    if (!isOk) {
      const hint =
        textOf(body, 'error') === 'agent_forbidden'
          ? ' What a file says is of origin external: memgov keys create --origin external makes a key for it.'
          : ''
      throw new Refused(`${refusalOf(body)}${hint}`)
    }
    this.#scope = textOf(body, 'scope') ?? this.#scope
    return body
  }

  /** A scope that is not named is that of the working folder, unless the key has another one. */
  async #post(operation: 'observe' | 'forget', body: object): Promise<Reply> {
    const { path } = OPERATIONS[operation]
    const reply = await postJson(this.#address, path, { ...(await this.#place()), ...body })
    const isElsewhere = textOf(reply.body, 'error') === 'scope_forbidden'
    if (reply.isOk || this.#invocation.scope !== null || this.#scope === null || !isElsewhere) return reply
    this.#scope = null
    return postJson(this.#address, path, { ...(await this.#place()), ...body })
  }

  async #place(): Promise<object> {
    const { tenantId } = this.#invocation
    const tenant = tenantId === null ? {} : { tenant_id: tenantId }
    if (this.#scope === undefined) this.#scope = await workspaceScope(this.#cwd)
    return this.#scope === null ? tenant : { ...tenant, scope: this.#scope }
  }
}

/** States in which a memory guides nobody, so that an entry that is gone leaves nothing to tell of. */
const DONE: readonly (string | null)[] = ['superseded', 'suppressed', 'expired']

function batches(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const made: Placed[][] = []
  let chars = 0
  for (const each of placed) {
    const batch = made.at(-1)
    const { length } = each.entry.text
    chars += length
    if (batch === undefined || batch.length >= BATCH_ENTRIES || chars > BATCH_CHARS) {
      made.push([each])
      chars = length
    } else batch.push(each)
  }
  return made
}
