// `memgov/ai-sdk`: a guided run of the AI SDK. It imports no package: what it gives is a middleware by its shape.

import { isTimeLimit, TIME_LIMIT, TIMER_MAX_MS } from '../client/time-limit.ts'
import type { FinishBody, FinishResponse, GuideBody, GuidePromptResponse, GuideResponse } from '../index.ts'

/** A client of a service, or an embedded runtime. */
export interface GuidingClient {
  guide(
    body: GuideBody & { readonly view: 'prompt' },
    call?: { readonly timeoutMs?: number },
  ): Promise<GuideResponse | GuidePromptResponse>
  finish(body: FinishBody): Promise<FinishResponse>
}

/** The fields of guide, but for those that the run fills in. */
export interface GuidedRunOptions extends Omit<GuideBody, 'query_text' | 'view' | 'operation_id'> {
  readonly client: GuidingClient
  /** How long a guide may take. Default 2000. */
  readonly timeoutMs?: number | undefined
  /** When there is no guide: `without` memory the model is asked all the same, `reject` ends the call. Default `without`. */
  readonly onFailure?: 'without' | 'reject' | undefined
  /** Hears of every guide that failed. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The parts of a call that the middleware changes. */
interface CallParams {
  readonly prompt: readonly Message[]
}

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string }[]
}

/** A middleware of `wrapLanguageModel`. */
export interface GuideMiddleware {
  readonly specificationVersion: 'v3'
  readonly transformParams: <Params>(options: { readonly params: Params }) => Promise<Params>
}

/** The fields of finish, but for those that the run fills in. */
export type RunOutcome = Omit<FinishBody, 'tenant_id' | 'scope' | 'guide_trace_id'>

export interface GuidedRun {
  readonly middleware: GuideMiddleware
  /** The guide that the model was last shown; null: there was none yet, or it failed. */
  readonly guideTraceId: string | null
  /** Says how the run ended. Null: no guide was shown, so there is nothing to say it of. */
  finish(outcome: RunOutcome): Promise<FinishResponse | null>
}

const TIMEOUT_MS = 2000
/** A longer message is asked about by its beginning. */
const QUERY_CHARS_MAX = 20_000

/**
 * One run of an agent: what the model is asked carries the guide for the last message of the user, in that message and never
 * in one of the system. Every step of the run shows the same guide, so that its exposure counts once.
 * @throws TypeError when there is no client, or timeoutMs is no time above 0
 */
export function guidedRun(options: GuidedRunOptions): GuidedRun {
  const { client, timeoutMs = TIMEOUT_MS, onFailure = 'without', onError, ...fields } = options
  // Without one every guide would fail, and by default no word be said.
  if (typeof client?.guide !== 'function') throw new TypeError('Give a client: createClient() or a runtime.')
  if (!isTimeLimit(timeoutMs)) throw new TypeError(`timeoutMs is ${timeoutMs}: ${TIME_LIMIT}`)
  const guides = new Map<string, Promise<Guidance>>()
  let shownTraceId: string | null = null
  const guidance = async (query_text: string): Promise<Guidance> => {
    const answer = client.guide({ ...fields, query_text, view: 'prompt' }, { timeoutMs })
    const { guide_trace_id, agent_context } = await within(timeoutMs, answer)
    const isEmpty = 'handles' in agent_context && Object.keys(agent_context.handles).length === 0
    return { guideTraceId: guide_trace_id, text: isEmpty ? null : agent_context.prompt_text }
  }
  /** What failed once is not asked again for the same message: a run has many steps. */
  const guidanceOnce = (query: string): Promise<Guidance> => {
    const asked = guides.get(query)
    if (asked !== undefined) return asked
    const guide = guidance(query).catch((error: unknown) => {
      onError?.(error)
      if (onFailure === 'reject') throw error
      return NO_GUIDANCE
    })
    guides.set(query, guide)
    return guide
  }
  const transformParams = async <Params>({ params }: { readonly params: Params }): Promise<Params> => {
    if (!isCall(params)) return params
    const at = params.prompt.findLastIndex(({ role }) => role === 'user')
    const message = params.prompt[at]
    const query = message === undefined ? '' : textOf(message)
    if (message === undefined || query === '') return params
    const { guideTraceId, text } = await guidanceOnce(query)
    shownTraceId = guideTraceId
    return text === null ? params : { ...params, prompt: params.prompt.with(at, withText(message, text)) }
  }
  return {
    middleware: { specificationVersion: 'v3', transformParams },
    get guideTraceId() {
      return shownTraceId
    },
    async finish(outcome) {
      if (shownTraceId === null) return null
      const { tenant_id, scope } = fields
      return client.finish({
        ...outcome,
        ...(tenant_id === undefined ? {} : { tenant_id }),
        ...(scope === undefined ? {} : { scope }),
        guide_trace_id: shownTraceId,
      })
    },
  }
}

interface Guidance {
  readonly guideTraceId: string | null
  /** Null: there is no memory to show. */
  readonly text: string | null
}

const NO_GUIDANCE: Guidance = { guideTraceId: null, text: null }

/** An embedded runtime knows no deadline of a call. */
async function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`no guide within ${timeoutMs} ms`))
    timer = setTimeout(fail, Math.min(timeoutMs, TIMER_MAX_MS))
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function isCall(params: unknown): params is CallParams {
  return typeof params === 'object' && params !== null && 'prompt' in params && Array.isArray(params.prompt)
}

function textOf({ content }: Message): string {
  const parts = typeof content === 'string' ? [content] : content.map(partText)
  return parts.join('\n').trim().slice(0, QUERY_CHARS_MAX)
}

function partText(part: { readonly type: string }): string {
  return part.type === 'text' && 'text' in part && typeof part.text === 'string' ? part.text : ''
}

/** The text in a part of its own, before what the user says. */
function withText(message: Message, text: string): Message {
  const { content } = message
  const said = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return { ...message, content: [{ type: 'text', text }, ...said] }
}
