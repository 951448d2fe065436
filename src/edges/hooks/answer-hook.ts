import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { GuidePromptResponse } from '../../contract/guide.ts'
import type { RequestedName } from '../../contract/operations.ts'
import { dropOldest } from '../../core/base/collections.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { Principal } from '../../ports/keys.ts'
import type { HookHost } from '../../ports/telemetry.ts'
import type { CallContext } from '../../runtime/runtime.ts'
import { type Place, placeIn } from '../place/place.ts'
import { HOSTS, type HookEvent, readEvent } from './payload.ts'
import { type ReadTool, readTool, type Step, type StepTools, type Verdict } from './step.ts'
import { Workspaces } from './workspaces.ts'

export const STEPS_MAX = 64
export const SESSIONS_MAX = 256
const FILES_MAX = 64
const HANDLES_MAX = 1_000
/** A session that sends nothing for so long is forgotten. */
const IDLE_MS = 6 * 60 * 60 * 1000

/** What one prompt has done so far. */
export interface PromptSteps {
  /** What tells the run of this prompt from others of the session. */
  readonly turn: string
  /** Null: there was no guide, or it came too late. */
  readonly guideTraceId: string | null
  readonly steps: Step[]
  /** Steps beyond the most that are kept. */
  moreSteps: number
  readonly changed: Map<string, string | null>
  verdict: Verdict | null
  readonly named: Set<string>
  /** Runs that were written of it: a host may go on after it stopped. */
  runs: number
  hasStopped: boolean
}

/** One session of a host, for one place and key. */
export interface Session {
  readonly handles: Set<string>
  /** True: the agent may not see any more what it was shown. */
  isForgotten: boolean
  prompt: PromptSteps | null
  seenMs: number
}

/** Sessions in memory: what is lost with the process is the run of a prompt that has not ended. Bounded, the idlest go. */
export class Sessions {
  readonly #sessions = new Map<string, Session>()

  of(key: string, nowMs: number): Session {
    const known = this.#sessions.get(key)
    const session =
      known !== undefined && nowMs - known.seenMs < IDLE_MS
        ? known
        : { handles: new Set<string>(), isForgotten: false, prompt: null, seenMs: nowMs }
    session.seenMs = nowMs
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    for (const [oldest, { seenMs }] of this.#sessions) {
      if (this.#sessions.size <= SESSIONS_MAX && nowMs - seenMs < IDLE_MS) break
      this.#sessions.delete(oldest)
    }
    return session
  }
}

export function newPrompt(turn: string, guideTraceId: string | null): PromptSteps {
  return {
    turn,
    guideTraceId,
    steps: [],
    moreSteps: 0,
    changed: new Map(),
    verdict: null,
    named: new Set(),
    runs: 0,
    hasStopped: false,
  }
}

export function addHandles(session: Session, handles: readonly string[]): void {
  for (const handle of handles) session.handles.add(handle)
  dropOldest(session.handles, HANDLES_MAX)
}

export function addTool(prompt: PromptSteps, { steps, changed, verdict }: ReadTool): void {
  const room = Math.max(0, STEPS_MAX - prompt.steps.length)
  prompt.steps.push(...steps.slice(0, room))
  prompt.moreSteps += Math.max(0, steps.length - room)
  for (const [path, digest] of changed) {
    if (prompt.changed.has(path) || prompt.changed.size < FILES_MAX) prompt.changed.set(path, digest)
  }
  if (verdict !== undefined) prompt.verdict = verdict
}

/** What was written is not written again; what the prompt does next is another run. */
export function written(prompt: PromptSteps): PromptSteps {
  return { ...newPrompt(prompt.turn, prompt.guideTraceId), runs: prompt.runs + 1, hasStopped: true }
}

/**
 * The place that headers say; what they leave out the key says, else the workspace and the host.
 * @throws invalid_request as `placeIn`
 */
export async function placeOf(
  rawHeaders: readonly string[],
  principal: Principal | null,
  host: string,
  workspace: () => Promise<string>,
): Promise<Place> {
  const said = placeIn(rawHeaders)
  const isKeyScope = principal?.scopes.length === 1 && principal.scopes[0]?.isPrefix === false
  const scope = said.scope !== undefined || isKeyScope ? {} : { scope: await workspace() }
  const isAgentSaid = said.consumer_agent_id !== undefined || typeof principal?.agentId === 'string'
  return { ...(isAgentSaid ? {} : { consumer_agent_id: host }), ...scope, ...said }
}

const TITLE_CHARS_MAX = 80

/** The steps of one prompt as the body of a finish, or of an observe where no guide was made. */
export function runOf(prompt: PromptSteps, session: string) {
  const { guideTraceId, turn, verdict, changed, named, runs } = prompt
  const runId = `${session}:${turn}${runs === 0 ? '' : `:${runs + 1}`}`
  const outcome = verdict === null ? 'unknown' : verdict.hasPassed ? 'succeeded' : 'failed'
  const said = {
    title: titleOf(prompt),
    summary: summaryOf(prompt),
    outcome,
    target_files: [...changed.keys()],
    acceptance_checks: verdict?.hasPassed === true ? [verdict.command] : [],
  }
  const files = {
    workspace_changes: Array.from(changed, ([path, digest]) => ({ path, digest })),
  }
  const status = verdict === null ? null : verdict.hasPassed ? 'passed' : 'failed'
  if (guideTraceId === null) {
    const execution = { ...said, run_id: runId, verifier: status === null ? null : { status } }
    return { operation: 'observe' as const, body: { ...files, run_id: runId, execution } }
  }
  const used = { guide_trace_id: guideTraceId, run_id: runId, used_memory_ids: [...named] }
  return { operation: 'finish' as const, body: { ...files, ...used, ...said, verifier_status: status } }
}

function titleOf({ steps, moreSteps }: PromptSteps): string {
  const labels = [...new Set(steps.map(({ label }) => label))]
  const count = steps.length + moreSteps
  const end = count === 1 ? '' : ` (${count} steps)`
  let title = ''
  for (const label of labels) {
    const longer = title === '' ? label : `${title}, ${label}`
    if (longer.length + end.length > TITLE_CHARS_MAX) break
    title = longer
  }
  return title + end
}

/** Steps in their order, the same ones in a row as one; then what was changed. */
function summaryOf({ steps, moreSteps, changed }: PromptSteps): string {
  const parts: string[] = []
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]
    let end = at
    while (end < steps.length && isSame(step, steps[end])) end += 1
    if (step !== undefined) parts.push(partOf(step, end - at))
    at = end
  }
  const more = moreSteps === 0 ? '' : ` and ${moreSteps} more`
  const gone = [...changed].flatMap(([path, digest]) => (digest === null ? [path] : []))
  const kept = [...changed.keys()].filter((path) => !gone.includes(path))
  return [
    `Steps: ${parts.join(', ')}${more}.`,
    ...(kept.length === 0 ? [] : [`Changed: ${kept.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`Removed: ${gone.join(', ')}.`]),
  ].join(' ')
}

function isSame(a: Step | undefined, b: Step | undefined): boolean {
  return a?.label === b?.label && a?.result === b?.result
}

function partOf({ label, result }: Step, count: number): string {
  const times = count === 1 ? '' : ` ${count} times`
  return result === 'failed' ? `${label} (failed${times})` : `${label}${times}`
}

/// <reference lib="es2024.string" />

/** What a hook adds to a prompt, most. */
export const CONTEXT_CHARS_MAX = 4_000
const TRACE_CHARS = '\n\nguide_trace_id: guide_trace:'.length + 36
const PROMPT_CHARS_MAX = 20_000
const SESSION_CHARS_MAX = 200
/** What is asked where a session begins and nobody has said yet what for. */
const START = 'Start of a session: rules, preferences and context of this project.'
/** Reasons to start a session by which an agent has lost what it was shown. */
const LOSING: readonly string[] = ['clear', 'compact']
const NAMED = /\[(?<handles> ?m\d{1,9}(?: ?, ?m\d{1,9})* ?)\]/g

export interface HookTools extends StepTools {
  readonly execute: (operation: RequestedName, body: unknown, context: CallContext) => Promise<object>
  readonly nowMs: () => number
}

/** One hook as it arrived. */
export interface HookCall {
  readonly host: HookHost
  readonly payload: unknown
  /** The event, where the caller says it beside the payload. */
  readonly eventName: string | null
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly principal: Principal | null
  /** True once nobody waits for the answer any more. */
  readonly isLate: () => boolean
}

/** The hooks of one service. */
export class Hooks {
  readonly #tools: HookTools
  readonly #sessions = new Sessions()
  readonly #workspaces = new Workspaces()
  /** The folders that sessions were asked in last. Bounded, the first ones go. */
  readonly #homes = new Map<string, string>()

  constructor(tools: HookTools) {
    this.#tools = tools
  }

  /** Null: there is nothing to say. @throws what the operation refuses */
  async answer(call: HookCall): Promise<object | null> {
    const host = HOSTS[call.host]
    const event = readEvent(host, call.payload, call.eventName)
    if (event === null) return null
    const id = sessionIdOf(event)
    const home = this.#homeOf(call, event, id)
    // Between two prompts, so that the steps of one are in one scope.
    if (event.kind === 'started' || event.kind === 'prompt') await this.#workspaces.refresh(home)
    const place = await placeOf(call.rawHeaders, call.principal, call.host, () =>
      this.#workspaces.scopeOf(home),
    )
    const session = this.#sessions.of(keyOf(call, place, id), this.#tools.nowMs())
    const asked = { call, place, id, session, event }
    switch (event.kind) {
      case 'started':
        if (LOSING.includes(event.source ?? '')) session.isForgotten = true
        return host.guidesAtStart ? this.#guide(asked, START) : null
      case 'forgetting':
        session.isForgotten = true
        return null
      case 'prompt':
        // Of a prompt that somebody interrupted no host tells the end. The next one does not wait for what is told of it.
        this.#write(asked).catch(() => null)
        session.prompt = null
        return event.prompt === null ? null : this.#guide(asked, event.prompt)
      case 'tool':
      case 'tool_failed':
        if (event.tool !== null) {
          const folders = await this.#workspaces.foldersOf(event.cwd ?? home, home)
          addTool(promptOf(asked), readTool(event.tool, folders, this.#tools))
        }
        return null
      case 'said':
        nameHandles(asked)
        return null
      case 'stopped':
        nameHandles(asked)
        return this.#write(asked)
    }
  }

  /** An agent may go into other folders while a prompt runs: what it does there belongs to that prompt. */
  #homeOf({ principal, host, rawHeaders }: HookCall, { kind, source, cwd }: HookEvent, id: string): string {
    const session = JSON.stringify([principal?.keyId, host, placeIn(rawHeaders), id])
    const isBegun = kind === 'prompt' || (kind === 'started' && !LOSING.includes(source ?? ''))
    const home = (isBegun ? undefined : this.#homes.get(session)) ?? cwd ?? ''
    this.#homes.delete(session)
    this.#homes.set(session, home)
    dropOldest(this.#homes, SESSIONS_MAX)
    return home
  }

  async #guide({ call, place, id, session, event }: Asked, prompt: string): Promise<object | null> {
    const isRestart = session.isForgotten
    const asked = {
      ...place,
      // Read further than it is asked, so that a secret which the end cuts in two is seen whole.
      query_text: this.#tools.masked(prompt.slice(0, 2 * PROMPT_CHARS_MAX)).slice(0, PROMPT_CHARS_MAX),
      run_id: id,
      omit_shown_in: id,
      restart: isRestart,
      view: 'prompt',
      lines: 'brief',
      context_char_budget: CONTEXT_CHARS_MAX - TRACE_CHARS,
    }
    const answer = GuidePromptResponse.parse(await this.#tools.execute('guide', asked, contextOf(call)))
    const { guide_trace_id, agent_context } = answer
    const handles = Object.keys(agent_context.handles)
    // What comes too late is never seen: the next guide shows it again.
    session.isForgotten = call.isLate() && (isRestart || handles.length > 0)
    addHandles(session, handles)
    const started = session.prompt
    session.prompt = {
      ...newPrompt(event.turn ?? guide_trace_id.slice(-36), guide_trace_id),
      ...stepsOf(started),
    }
    if (handles.length === 0) return null
    const text = `${agent_context.prompt_text}\n\nguide_trace_id: ${guide_trace_id}`
    return HOSTS[call.host].answer(event.name, text)
  }

  async #write({ call, place, id, session }: Asked): Promise<null> {
    const { prompt } = session
    if (prompt !== null) prompt.hasStopped = true
    if (prompt === null || prompt.steps.length === 0) return null
    session.prompt = written(prompt)
    const write = ({ operation, body }: ReturnType<typeof runOf>) =>
      this.#tools.execute(operation, { ...place, ...body }, contextOf(call))
    try {
      await write(runOf(prompt, id))
    } catch (error) {
      // The guide was erased meanwhile: what was done stays to be told.
      if (!(error instanceof DomainError) || error.code !== 'guide_trace_not_found') throw error
      await write(runOf({ ...prompt, guideTraceId: null }, id))
    }
    return null
  }
}

interface Asked {
  readonly call: HookCall
  readonly place: Place
  /** Of the session, as guides and runs name it. */
  readonly id: string
  readonly session: Session
  readonly event: HookEvent
}

/** Tools may have run while a late guide was made. */
function stepsOf(prompt: PromptSteps | null): Partial<PromptSteps> {
  if (prompt === null) return {}
  const { steps, moreSteps, changed, verdict, named } = prompt
  return { steps, moreSteps, changed, verdict, named }
}

function promptOf({ session, event, call }: Asked): PromptSteps {
  const { prompt } = session
  // The hook of a prompt may never have come: what it does is no work of the one before.
  const isOver = prompt?.hasStopped === true && prompt.steps.length === 0
  if (isOver && event.turn !== null && event.turn !== prompt.turn) session.prompt = null
  session.prompt ??= newPrompt(event.turn ?? call.requestId, null)
  return session.prompt
}

/** Only what was shown can be named. */
function nameHandles({ session, event }: Asked): void {
  const { prompt } = session
  if (prompt === null || event.said === null) return
  for (const { groups } of event.said.matchAll(NAMED)) {
    for (const handle of (groups?.['handles'] ?? '').split(',').map((each) => each.trim()))
      if (session.handles.has(handle)) prompt.named.add(handle)
  }
}

/** A session without a name is that of its folder. */
function sessionIdOf({ session, cwd }: HookEvent): string {
  const named = session?.trim().slice(0, SESSION_CHARS_MAX).toWellFormed()
  return named || `folder:${hash('sha256', cwd ?? '').slice(0, 16)}`
}

/** No key, place or host meets the session of another one. */
function keyOf({ principal, host }: HookCall, place: Place, id: string): string {
  const { tenant_id, scope, consumer_agent_id, consumer_team_id } = place
  return JSON.stringify([principal?.keyId, host, tenant_id, scope, consumer_agent_id, consumer_team_id, id])
}

function contextOf({ requestId, headers, principal }: HookCall): CallContext {
  return { requestId, operationId: null, headers, principal }
}
