import { OPERATIONS } from '../../../contract/operations.ts'
import type { AdoptInvocation } from '../../../edges/cli/adopt-arguments.ts'
import { type Answer, numberOf, partOf, textOf, wordsOf } from '../../../edges/cli/answer-fields.ts'
import { type Address, ClientError, getJson, postJson, type Reply } from '../../../edges/cli/query.ts'
import { safeJson } from '../../../edges/cli/safe-json.ts'
import { visible } from '../../../edges/cli/terminal-text.ts'
import { workspaceScope } from '../../../edges/workspace/workspace-scope.ts'
import { FileRefusal } from '../init/refusal.ts'
import type { Terminal } from '../offline.ts'
import { clientIdOf, distinct, type Entries, type Entry } from './entry.ts'
import { markdownEntries } from './markdown.ts'
import { mem0Entries } from './mem0.ts'
import { serverMemoryEntries } from './server-memory.ts'
import { readSource } from './source-file.ts'

/** Entries in one request: as many as one may name, and far from what a body may hold. */
const BATCH_ENTRIES = 200
const BATCH_CHARS = 1_000_000
/** Entries that are shown to a person. */
const SHOWN_MAX = 40
const SHOWN_CHARS = 72
/** Who is told to have written what is adopted. */
const ACTOR = 'memgov adopt'

/** What a file of each kind says: how agents are to work, or what somebody noted. */
const KINDS = { mem0: 'fact', 'server-memory': 'fact', markdown: 'fact', 'agents-md': 'rule' } as const

interface Surroundings {
  readonly cwd: string
  readonly now: Date
}

/** What became of the entries: the memory of each, and how many of them were not there before. */
interface Adopted {
  readonly memoryIds: readonly string[]
  readonly newCount: number
}

/** The service would not take it; the message is for a person. */
class Refused extends Error {}

/**
 * `memgov adopt`: makes candidates of the entries of a file, or shows them. Their origin is external, whatever they say: a
 * file of rules is what somebody wrote down, and becomes an order only when an operator activates it. What was adopted before is
 * not written again. The exit code: 0 done, 1 the file or the service refused.
 */
export async function adoptCommand(
  invocation: AdoptInvocation,
  address: Address,
  { stdout, stderr }: Terminal,
  { cwd, now }: Surroundings,
): Promise<number> {
  const { from, file, isAgreed, isJson } = invocation
  const out = (line: string): void => void stdout.write(`${line}\n`)
  try {
    const { path, text } = await readSource(cwd, file)
    const found = distinct(from, entriesIn(text, invocation, now))
    if (!isAgreed) {
      if (isJson) out(safeJson(planOf(invocation, path, found)))
      else for (const line of shown(invocation, path, found)) out(line)
      return 0
    }
    const service = new AdoptingService(invocation, address, path, cwd)
    const adopted = await service.adopt(found.entries)
    if (isJson) out(safeJson(outcomeOf(service, path, found.entries, adopted)))
    else for (const line of told(service, path, adopted)) out(line)
    return 0
  } catch (error) {
    const why =
      error instanceof FileRefusal
        ? `${file} ${error.message}`
        : error instanceof ClientError || error instanceof Refused
          ? error.message
          : null
    if (why === null) throw error
    stderr.write(`memgov adopt: ${visible(why)}\n`)
    return 1
  }
}

function entriesIn(text: string, { from, userId }: AdoptInvocation, now: Date): Entries {
  switch (from) {
    case 'mem0':
      return mem0Entries(text, userId, now)
    case 'server-memory':
      return serverMemoryEntries(text)
    case 'markdown':
    case 'agents-md':
      return markdownEntries(text)
  }
}

function planOf({ from }: AdoptInvocation, path: string, { entries, leftOut }: Entries): Answer {
  return {
    path,
    changed: false,
    entries: entries.map((entry) => ({ ...nodeOf(from, path, entry), line: entry.line })),
    left_out: leftOut,
  }
}

function shown(invocation: AdoptInvocation, path: string, { entries, leftOut }: Entries): readonly string[] {
  const rows = entries.slice(0, SHOWN_MAX).map(({ line, title, text }) => {
    const words = visible(`${title === null ? '' : `${title}: `}${text}`.replaceAll('\n', ' '))
    return `  ${visible(path)}:${line}  ${words.length > SHOWN_CHARS ? `${words.slice(0, SHOWN_CHARS)}…` : words}`
  })
  const further = entries.length - rows.length
  return [
    ...rows,
    ...(further === 0 ? [] : [`  … and ${further} more; --json shows all`]),
    `${entries.length} entries of ${visible(path)} would be candidates of origin external, kind ${KINDS[invocation.from]}.`,
    ...leftOut.map((sentence) => `Left out: ${visible(sentence)}.`),
    'Nothing was changed; --yes writes them, but for those that were adopted before.',
  ]
}

function outcomeOf(
  { scope, warnings }: AdoptingService,
  path: string,
  entries: readonly Entry[],
  { memoryIds, newCount }: Adopted,
): Answer {
  const rows = entries.map(({ line }, at) => ({ memory_id: memoryIds[at] ?? null, line }))
  return { path, scope, changed: newCount > 0, new_count: newCount, entries: rows, warnings }
}

function told(
  { scope, warnings }: AdoptingService,
  path: string,
  { memoryIds, newCount }: Adopted,
): readonly string[] {
  const file = visible(path)
  return [
    `${newCount} entries of ${file} are candidates now in the scope ${visible(scope ?? '')}; ${memoryIds.length - newCount} were there before.`,
    ...warnings.map((warning) => `Warning: ${visible(warning)}`),
    `memgov blast-radius --source ${file} shows them; an operator activates what may guide.`,
  ]
}

/**
 * What is sent for an entry. Its line is the run that it comes from and no part of what it says, so that an entry that moved
 * within its file is no revision.
 */
function nodeOf(from: AdoptInvocation['from'], path: string, entry: Entry) {
  const { text, title, line, observedAt, isStale } = entry
  return {
    client_id: clientIdOf(from, entry),
    run_id: `${path}:${line}`,
    kind: KINDS[from],
    origin: 'external',
    text,
    ...(title === null ? {} : { title }),
    ...(observedAt === null ? {} : { observed_at: observedAt }),
    ...(isStale ? { lifecycle_hint: 'stale' } : {}),
    evidence_refs: [path],
  }
}

class AdoptingService {
  readonly #invocation: AdoptInvocation
  readonly #address: Address
  readonly #path: string
  readonly #cwd: string
  readonly #warnings = new Set<string>()
  /** Null: the one of the key, which an answer tells. */
  #scope: string | null | undefined

  constructor(invocation: AdoptInvocation, address: Address, path: string, cwd: string) {
    this.#invocation = invocation
    this.#address = address
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

  /** What is there already stays as it is. A batch that is refused leaves those before it, and the same call goes on there. */
  async adopt(entries: readonly Entry[]): Promise<Adopted> {
    await this.#refuseOperator()
    const memoryIds: string[] = []
    let newCount = 0
    for (const batch of batches(entries)) {
      const nodes = batch.map((entry) => nodeOf(this.#invocation.from, this.#path, entry))
      const body = this.#answer(await this.#observe({ origin: 'external', actor: ACTOR, nodes }))
      for (const warning of wordsOf(body, 'warnings')) this.#warnings.add(warning)
      memoryIds.push(...wordsOf(body, 'memory_ids'))
      newCount += numberOf(partOf(body, 'observed'), 'general_memory_count')
    }
    return { memoryIds, newCount }
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
      throw new Refused(`${textOf(body, 'message') ?? 'The service refused the request.'}${hint}`)
    }
    this.#scope = textOf(body, 'scope') ?? this.#scope
    return body
  }

  /** A scope that is not named is that of the working folder, unless the key has another one. */
  async #observe(body: object): Promise<Reply> {
    const { path } = OPERATIONS.observe
    const { tenantId, scope } = this.#invocation
    const tenant = tenantId === null ? {} : { tenant_id: tenantId }
    if (this.#scope === undefined) this.#scope = await workspaceScope(this.#cwd)
    const place = this.#scope === null ? tenant : { ...tenant, scope: this.#scope }
    const reply = await postJson(this.#address, path, { ...place, ...body })
    const isElsewhere = textOf(reply.body, 'error') === 'scope_forbidden'
    if (reply.isOk || scope !== null || this.#scope === null || !isElsewhere) return reply
    this.#scope = null
    return postJson(this.#address, path, { ...tenant, ...body })
  }
}

function batches(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const made: Entry[][] = []
  let chars = 0
  for (const entry of entries) {
    const batch = made.at(-1)
    chars += entry.text.length
    if (batch === undefined || batch.length >= BATCH_ENTRIES || chars > BATCH_CHARS) {
      made.push([entry])
      chars = entry.text.length
    } else batch.push(entry)
  }
  return made
}
