import { normalised } from './boundary-fields.ts'

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
  query: ['query_text'],
  question: ['query_text'],
  prompt: ['query_text'],
  search: ['query_text'],
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
  usedids: ['used_memory_ids'],
  usedmemories: ['used_memory_ids'],
  surface: ['used_surface'],
  result: ['outcome'],
  status: ['outcome', 'lifecycle'],
  success: ['outcome'],
  verifier: ['verifier_status'],
  tool: ['tool_status', 'tools'],
  why: ['reason'],
  comment: ['reason'],
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
