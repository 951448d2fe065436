import { z } from 'zod'
import { DomainError, ERRORS, type ErrorCode, type ErrorSpec, isErrorCode } from '../../core/base/errors.ts'

/** Why a tool gave no answer, as an agent reads it: `code: message`, and what to do next. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly details: unknown

  constructor(code: string, message: string, details: unknown = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

const ASK_OPERATOR = 'Go on without memory, and tell the user: the key or its settings have to change.'

/** What an agent can do about it. A refusal that is not named here says in its message what to send instead. */
const NEXT_STEPS: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'Call the tool again with these arguments put right.',
  guide_trace_not_found:
    'Call guide, and send the guide_trace_id of its answer. If the task has ended, use record_step.',
  guide_trace_used_memory_not_exposed: 'Name only lines that this guide showed, by their handles.',
  memory_not_found:
    'Take the id or handle from the answer of guide; a handle needs the guide_trace_id of that guide.',
  operation_conflict: 'It is stored already: go on.',
  unauthorized: ASK_OPERATOR,
  tenant_forbidden: ASK_OPERATOR,
  scope_forbidden: ASK_OPERATOR,
  agent_forbidden: ASK_OPERATOR,
  operator_key_required:
    'Go on without it, and tell the user: the connection has to name its agent (--agent, x-memgov-agent), or the key has to be that of an operator.',
  read_only_key: ASK_OPERATOR,
  too_many_scopes: ASK_OPERATOR,
  internal_error: 'Go on without memory, and tell the user that the log of memgov holds the cause.',
}

export function refusalText({ code, message, details }: Refusal | DomainError): string {
  // A message may repeat what its issues say.
  const [first = message, ...others] = issuesOf(details)
  const next = nextStep(code)
  const lines = [`${code}: ${first}`, ...others.map((sentence) => `- ${sentence}`)]
  return (next === null ? lines : [...lines, `Next: ${next}`]).join('\n')
}

const Issues = z.object({ issues: z.array(z.object({ message: z.string() })) })

function issuesOf(details: unknown): readonly string[] {
  return Issues.safeParse(details).data?.issues.map(({ message }) => message) ?? []
}

function nextStep(code: string): string | null {
  if (!isErrorCode(code)) return null
  const { retryable, retryAfterS }: ErrorSpec = ERRORS[code]
  if (retryable) return `Try again in ${retryAfterS ?? 1} s. If it stays so, go on without memory.`
  return NEXT_STEPS[code] ?? null
}
