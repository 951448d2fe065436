import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { RequestedName } from '../../contract/operations.ts'
import { parseRequest } from '../../contract/parse.ts'
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
  operation_conflict:
    'This call was not recorded. To record it, send it with a new operation_id (Idempotency-Key), and a finish with another run_id.',
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
  const [first = message, ...others] =
    Issues.safeParse(details).data?.issues.map((issue) => issue.message) ?? []
  const next = nextStep(code)
  const lines = [`${code}: ${first}`, ...others.map((sentence) => `- ${sentence}`)]
  return (next === null ? lines : [...lines, `Next: ${next}`]).join('\n')
}

const Issues = z.object({ issues: z.array(z.object({ message: z.string() })) })

function nextStep(code: string): string | null {
  if (!isErrorCode(code)) return null
  const { retryable, retryAfterS }: ErrorSpec = ERRORS[code]
  if (retryable) return `Try again in ${retryAfterS ?? 1} s. If it stays so, go on without memory.`
  return NEXT_STEPS[code] ?? null
}

/** What a client may assume of a tool before it calls it. Nothing here reaches beyond the service. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** A tool in the words of an agent: arguments, the operation that they are a request of, and what its answer reads like. */
interface ToolRow<Shape extends z.ZodRawShape, Answer> {
  readonly name: string
  readonly title: string
  /** Begins with the words by which a search finds it, and says when not to call it. */
  readonly description: string
  readonly hints: Hints
  readonly operation: RequestedName
  readonly arguments: Shape
  readonly body: (given: z.output<z.ZodObject<Shape, z.core.$strict>>) => object
  /** The part of an answer that an agent is told. */
  readonly answer: z.ZodType<Answer>
  readonly told: (answer: Answer) => readonly string[]
}

export interface Tool {
  readonly operation: RequestedName
  /** It writes more than that something was shown. */
  readonly changes: boolean
  readonly listed: ListedTool
  /** @throws invalid_request in the names of the arguments */
  bodyOf(given: unknown): object
  /** @throws Refusal when a service of another version answers otherwise */
  textsOf(answer: unknown): readonly string[]
}

const OTHER_VERSION =
  'The service answers otherwise than expected: start the service and this program from the same version of memgov.'

/** Schemas are made here, once. */
export function tool<Shape extends z.ZodRawShape, Answer>(row: ToolRow<Shape, Answer>): Tool {
  const { name, title, description, hints, operation } = row
  const request = z.strictObject(row.arguments)
  return {
    operation,
    changes: !hints.readOnlyHint,
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(request),
      annotations: { title, ...hints, openWorldHint: false },
    },
    bodyOf: (given) => row.body(parseRequest({ request }, given).request),
    textsOf(answer) {
      const { data } = row.answer.safeParse(answer)
      if (data === undefined) throw new Refusal('other_version', OTHER_VERSION)
      return row.told(data)
    },
  }
}

/** Null counts as absent in every optional field; a model reads a schema more easily that does not say so. */
function inputSchemaOf(request: z.ZodObject): ListedTool['inputSchema'] {
  const { properties, required = [] } = z.toJSONSchema(request, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const [only, ...others] = (jsonSchema.anyOf ?? []).filter(({ type }) => type !== 'null')
      if (only === undefined || others.length > 0) return
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, { ...only, ...jsonSchema })
    },
  })
  const plain = z.record(z.string(), z.json()).parse(properties)
  return { type: 'object', properties: plain, required, additionalProperties: false }
}
