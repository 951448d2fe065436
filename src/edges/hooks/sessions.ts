import type { ReadTool, Step, Verdict } from './step.ts'

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
  }
}

export function addHandles(session: Session, handles: readonly string[]): void {
  for (const handle of handles) session.handles.add(handle)
  for (const oldest of session.handles) {
    if (session.handles.size <= HANDLES_MAX) return
    session.handles.delete(oldest)
  }
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
  return { ...newPrompt(prompt.turn, prompt.guideTraceId), runs: prompt.runs + 1 }
}
