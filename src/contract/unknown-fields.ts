import type { z } from 'zod'

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function sizeSentence(issue: z.core.$ZodRawIssue, bound: string, limit: unknown): string {
  switch (issue['origin']) {
    case 'string':
      return limit === 1n || limit === 1
        ? 'This may not be empty: send text, or leave the field out where it is optional.'
        : `Send ${bound} ${String(limit)} characters.`
    case 'array':
      return `Send ${bound} ${String(limit)} ${Number(limit) === 1 ? 'item' : 'items'}.`
    default:
      return `Send a number of ${bound} ${String(limit)}.`
  }
}

/** Names the fields that a strict object takes. */
function acceptedBy(issue: z.core.$ZodRawIssue): string {
  const definition: unknown = issue.inst?._zod.def
  if (typeof definition !== 'object' || definition === null || !('shape' in definition)) return ''
  const shape = definition.shape
  if (typeof shape !== 'object' || shape === null) return ''
  return `Accepted here: ${Object.keys(shape).join(', ')}.`
}

/**
 * Says what to send instead, in one sentence. Handed to every parse as its error map; rules that carry their own
 * sentence keep it.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = EXPECTED[String(issue['expected'])] ?? String(issue['expected'])
      const isMissing = issue.input === undefined || issue.input === null
      return isMissing ? `This is required: send ${expected}.` : `Send ${expected}.`
    }
    case 'invalid_value': {
      const values: unknown = issue['values']
      const allowed = Array.isArray(values) ? values.map(String).join(', ') : 'a listed value'
      const isMissing = issue.input === undefined || issue.input === null
      return isMissing
        ? `This is required: send one of ${allowed}.`
        : `Send one of ${allowed}, not ${echoOf(issue.input)}.`
    }
    case 'too_big':
      return sizeSentence(issue, 'at most', issue['maximum'])
    case 'too_small':
      return sizeSentence(issue, 'at least', issue['minimum'])
    case 'unrecognized_keys':
      return acceptedBy(issue)
    default:
      return 'This value is not valid here.'
  }
}

const ECHO_CHARS_MAX = 40

/** What came in the place of a listed word, on one line and cut: enough to recognise a slip. */
export function echoOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  const line = oneLine(value.slice(0, ECHO_CHARS_MAX)).trim()
  return `"${line}${value.length > ECHO_CHARS_MAX ? '…' : ''}"`
}

const SHORT_NAME_CHARS_MAX = 80

/** The name of a field that a caller made up, as far as a sentence can carry it. */
export function shortened(name: string): string {
  const line = oneLine(name.slice(0, SHORT_NAME_CHARS_MAX))
  return name.length > SHORT_NAME_CHARS_MAX ? `${line}…` : line
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ')
}

// Whose memory a request reads and writes is never guessed. A field that only resembles one of these names would be
// ignored like any other unknown one, and the request would act in the default tenant, scope or lane: so it is refused.

/** Normalised words that stand for a boundary and are no field. From what callers of other interfaces call these. */
const WORDS: Readonly<Record<string, string>> = {
  tenant: 'tenant_id',
  tenants: 'tenant_id',
  tenantid: 'tenant_id',
  scopes: 'scope',
  scopeid: 'scope',
  scopename: 'scope',
  consumer: 'consumer_agent_id',
  consumerid: 'consumer_agent_id',
  consumeragent: 'consumer_agent_id',
  consumeragentid: 'consumer_agent_id',
  consumerteam: 'consumer_team_id',
  consumerteamid: 'consumer_team_id',
}

/** Fields of which one slip of the hand is recognised. */
const SLIPPED = ['tenant_id', 'scope', 'consumer_agent_id', 'consumer_team_id'] as const

/** Fields that are recognised in another case, or with other signs between their words; in `memory` too. */
const RESPELT = ['scope', 'agent_id', 'team_id', 'memory_lane', 'owner_agent_id', 'owner_team_id'] as const

/** The one table of near misses: the field that is meant, by the normalised name that was sent. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...SLIPPED.flatMap((name) => slipsOf(normalised(name)).map((slip) => [slip, name] as const)),
  ...respeltRows(),
  ...Object.entries(WORDS),
])

const MEANT_INSIDE: ReadonlyMap<string, string> = new Map(respeltRows())

/** The boundary that an unknown top-level field or query parameter misses by little; null for any other. */
export function boundaryMeantBy(name: string): string | null {
  return otherThan(name, MEANT)
}

/** The same for an unknown field of `memory`. */
export function boundaryMeantInside(name: string): string | null {
  return otherThan(name, MEANT_INSIDE)
}

/** Every boundary that a query must not name where the body says it. */
export function isBoundary(name: string): boolean {
  return MEANT.get(normalised(name)) === name
}

function otherThan(name: string, meant: ReadonlyMap<string, string>): string | null {
  const right = name.length > NAME_CHARS_MAX ? null : (meant.get(normalised(name)) ?? null)
  return right === name ? null : right
}

/** Lower case, letters and digits only: some clients send a list as `name[]`. */
export function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function respeltRows(): readonly (readonly [string, string])[] {
  return RESPELT.map((name) => [normalised(name), name])
}

/** One swapped pair, one doubled or one missing letter. A replaced letter makes another word: `score` is no scope. */
function slipsOf(word: string): readonly string[] {
  return Array.from(word, (letter, at) => {
    const [before, behind] = [word.slice(0, at), word.slice(at + 1)]
    const swapped = `${before}${behind.slice(0, 1)}${letter}${behind.slice(1)}`
    return [`${before}${letter}${letter}${behind}`, `${before}${behind}`, swapped]
  }).flat()
}

/**
 * Fields that callers mean by other words, most likely first; the first that is known counts. From the names that other
 * memory interfaces use, and from shorter and longer forms of ours. Keys are normalised.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  text: ['input_text', 'query_text', 'text', 'handoff_text', 'value_text'],
  content: ['input_text', 'text', 'handoff_text'],
  body: ['input_text', 'text', 'handoff_text'],
  data: ['input_text', 'text', 'payload'],
  input: ['input_text', 'query_text'],
  message: ['input_text', 'text', 'handoff_text'],
  messages: ['input_text'],
  note: ['input_text', 'text', 'reason'],
  fact: ['input_text', 'text'],
  memories: ['nodes', 'memory_ids', 'candidates', 'memory'],
  query: ['query_text', 'text'],
  question: ['query_text'],
  prompt: ['query_text'],
  search: ['query_text', 'text'],
  goal: ['query_text'],
  task: ['query_text', 'task_signature'],
  signature: ['task_signature'],
  run: ['run_id', 'execution'],
  session: ['run_id'],
  sessionid: ['run_id'],
  agent: ['agent_id', 'producer_agent_id'],
  team: ['team_id'],
  role: ['agent_role', 'target_role'],
  trace: ['guide_trace_id'],
  traceid: ['guide_trace_id'],
  guide: ['guide_trace_id'],
  guideid: ['guide_trace_id'],
  guidetrace: ['guide_trace_id'],
  id: ['memory_id', 'memory_ids', 'client_id', 'uri'],
  ids: ['memory_ids', 'used_memory_ids'],
  memoryid: ['memory_ids', 'used_memory_ids'],
  memoryids: ['used_memory_ids'],
  nodeids: ['used_memory_ids'],
  used: ['used_memory_ids'],
  handles: ['used_memory_ids'],
  usedids: ['used_memory_ids'],
  usedmemories: ['used_memory_ids'],
  surface: ['used_surface'],
  result: ['outcome'],
  status: ['outcome', 'lifecycle', 'lifecycle_state'],
  state: ['lifecycle_state'],
  success: ['outcome'],
  verifier: ['verifier_status'],
  tool: ['tool_status', 'tools'],
  why: ['reason'],
  comment: ['reason'],
  user: ['scope'],
  userid: ['scope'],
  project: ['scope'],
  projectid: ['scope'],
  namespace: ['scope'],
  workspace: ['scope'],
  lane: ['memory_lane'],
  visibility: ['memory_lane'],
  topk: ['limit'],
  k: ['limit'],
  max: ['limit'],
  maxresults: ['limit'],
  budget: ['context_char_budget'],
  maxtokens: ['context_token_budget'],
  idempotencykey: ['operation_id'],
  requestid: ['operation_id'],
  expires: ['valid_until', 'until'],
  expiresat: ['valid_until', 'until'],
  expirationdate: ['valid_until', 'until'],
  timestamp: ['observed_at'],
  source: ['origin'],
  category: ['kind'],
  tags: ['metadata'],
  files: ['target_files'],
  steps: ['workflow_steps'],
}

/** Letters of a name up to which no slip, and up to which one slip makes it near: short words have many neighbours. */
const NO_SLIP_CHARS_MAX = 3
const ONE_SLIP_CHARS_MAX = 5
/** No field has a longer name, so that a long key costs no comparison. */
const NAME_CHARS_MAX = 60

/** The known name that an unknown one most likely means: another spelling, another word for it, or a slip or two. */
export function nearName(sent: string, known: Iterable<string>): string | null {
  if (sent.length > NAME_CHARS_MAX) return null
  const word = normalised(sent)
  const names = [...known]
  const same = names.find((name) => normalised(name) === word)
  if (same !== undefined) return same
  const meant = Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? []) : []
  return meant.find((name) => names.includes(name)) ?? nearest(word, names)
}

function nearest(word: string, names: readonly string[]): string | null {
  let best: string | null = null
  let slips = word.length <= NO_SLIP_CHARS_MAX ? 0 : word.length <= ONE_SLIP_CHARS_MAX ? 1 : 2
  for (const name of names) {
    const apart = slipsBetween(word, normalised(name), slips)
    if (apart > slips || (apart === slips && best !== null)) continue
    best = name
    slips = apart
  }
  return best
}

/** Letters left out, added, replaced, and pairs swapped, that lead from one word to the other; beyond `most` any larger number. */
function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let earlier: number[] = []
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      const steps = [
        (before[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (before[at - 1] ?? 0) + (isSame ? 0 : 1),
        ...(row > 1 && at > 1 && isSwapped ? [(earlier[at - 2] ?? 0) + 1] : []),
      ]
      current.push(Math.min(...steps))
    }
    earlier = before
    before = current
  }
  return before[other.length] ?? 0
}
