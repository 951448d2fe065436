import { win32 } from 'node:path'
import { type AnyObject, isObject, jsonOf } from '../../core/base/collections.ts'
import type { HookHost } from '../../ports/telemetry.ts'

/** What an event of a host is to us. What is none of these is answered with nothing. */
export type EventKind = 'started' | 'prompt' | 'tool' | 'tool_failed' | 'said' | 'stopped' | 'forgetting'

/** A place in a payload: `tool_response.error` is a member of a member. */
export type Place = string

export interface HostRow {
  readonly events: Readonly<Record<string, EventKind>>
  /** Of each the first place that has a text is read. */
  readonly session: readonly Place[]
  readonly turn: readonly Place[]
  readonly cwd: readonly Place[]
  readonly prompt: readonly Place[]
  readonly toolName: readonly Place[]
  readonly toolInput: readonly Place[]
  readonly toolId: readonly Place[]
  /** Any value there: the tool failed. */
  readonly error: readonly Place[]
  /** Any value there: somebody stopped the tool, or it goes on, which says nothing of it. */
  readonly interrupted: readonly Place[]
  /** What the agent said last. */
  readonly said: readonly Place[]
  /** True: a tool event without an error is a tool that succeeded. Elsewhere commands that failed look the same. */
  readonly tellsSuccess: boolean
  /** True: text at the start of a session reaches the agent, text at a prompt may not. */
  readonly guidesAtStart: boolean
  readonly answer: (event: string, text: string) => object
}

const PAYLOAD = {
  session: ['session_id', 'sessionId'],
  turn: ['prompt_id', 'turn_id'],
  cwd: ['cwd'],
  prompt: ['prompt'],
  toolName: ['tool_name'],
  toolInput: ['tool_input'],
  toolId: ['tool_use_id'],
  error: ['error'],
  interrupted: ['is_interrupt'],
  said: ['last_assistant_message'],
  tellsSuccess: false,
  guidesAtStart: false,
} satisfies Partial<HostRow>

const EVENTS = {
  SessionStart: 'started',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool_failed',
  PreCompact: 'forgetting',
  Stop: 'stopped',
} satisfies Readonly<Record<string, EventKind>>

const specific = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

/** From the hosts' own documents, and from payloads of Claude Code 2.1 and Codex 0.169 as they arrived. */
export const HOSTS: Readonly<Record<HookHost, HostRow>> = {
  'claude-code': {
    ...PAYLOAD,
    events: EVENTS,
    // A command in the background has begun: its end is not told.
    interrupted: [
      'is_interrupt',
      'tool_response.interrupted',
      'tool_input.run_in_background',
      'tool_response.backgroundTaskId',
    ],
    tellsSuccess: true,
    answer: specific,
  },
  codex: { ...PAYLOAD, events: EVENTS, answer: specific },
  gemini: {
    ...PAYLOAD,
    events: {
      SessionStart: 'started',
      BeforeAgent: 'prompt',
      AfterTool: 'tool',
      PreCompress: 'forgetting',
      AfterAgent: 'stopped',
    },
    error: ['tool_response.error', 'error'],
    said: ['prompt_response'],
    answer: specific,
  },
  cursor: {
    ...PAYLOAD,
    events: {
      sessionStart: 'started',
      beforeSubmitPrompt: 'prompt',
      postToolUse: 'tool',
      postToolUseFailure: 'tool_failed',
      afterAgentResponse: 'said',
      preCompact: 'forgetting',
      stop: 'stopped',
    },
    session: ['conversation_id', 'session_id'],
    turn: ['generation_id'],
    cwd: ['cwd', 'workspace_roots.0'],
    error: ['error_message', 'error'],
    said: ['text'],
    guidesAtStart: true,
    answer: (_event, text) => ({ additional_context: text }),
  },
  copilot: {
    ...PAYLOAD,
    events: {
      ...EVENTS,
      sessionStart: 'started',
      userPromptSubmitted: 'prompt',
      postToolUse: 'tool',
      postToolUseFailure: 'tool_failed',
      preCompact: 'forgetting',
      agentStop: 'stopped',
    },
    session: ['sessionId', 'session_id'],
    toolName: ['toolName', 'tool_name'],
    toolInput: ['toolArgs', 'tool_input'],
    toolId: ['toolCallId', 'tool_use_id'],
    error: ['error'],
    guidesAtStart: true,
    answer: (_event, text) => ({ additionalContext: text }),
  },
}

/// <reference lib="es2024.string" />

/** An event of a host. Null: the payload has no such text. */
export type HookEvent = NonNullable<ReturnType<typeof readEvent>>
export type ToolUse = NonNullable<HookEvent['tool']>

/** Null: nothing that concerns us. */
export function readEvent(host: HostRow, payload: unknown, named: string | null) {
  if (!isObject(payload)) return null
  const text = (places: readonly Place[]): string | null => textAt(payload, places)
  const name = text(['hook_event_name']) ?? named ?? eventByShape(host, payload)
  const kind = name === null ? undefined : host.events[name]
  if (name === null || kind === undefined) return null
  const toolName = text(host.toolName)
  const isStopped = valueAt(payload, host.interrupted) !== null
  const hasFailed = kind === 'tool_failed' || valueAt(payload, host.error) !== null
  return {
    kind,
    // As the host calls it.
    name,
    session: text(host.session),
    turn: text(host.turn)?.slice(0, TURN_CHARS_MAX).toWellFormed() ?? null,
    cwd: folderIn(text(host.cwd)),
    prompt: text(host.prompt),
    said: text(host.said),
    // Why a session starts.
    source: text(['source']),
    tool:
      toolName === null
        ? null
        : {
            name: toolName,
            input: inputOf(valueAt(payload, host.toolInput)),
            id: text(host.toolId),
            // Null: the host does not say.
            hasSucceeded: isStopped ? null : hasFailed ? false : host.tellsSuccess ? true : null,
          },
  }
}

/** It is a part of the names of runs, and kept while its session is. */
const TURN_CHARS_MAX = 200
/** No system has a longer path, and what is known of a folder is kept by its path. */
const FOLDER_CHARS_MAX = 4096

/** Whole, of any system: from the folder of the service no path of a host begins. */
function folderIn(path: string | null): string | null {
  return path !== null && path.length <= FOLDER_CHARS_MAX && win32.isAbsolute(path) ? path : null
}

/** Where neither payload nor caller names the event, its members do. */
function eventByShape(host: HostRow, payload: AnyObject): string | null {
  const kind = kindByShape(host, payload)
  return Object.keys(host.events).findLast((name) => host.events[name] === kind) ?? null
}

function kindByShape(host: HostRow, payload: AnyObject): EventKind | null {
  if (textAt(payload, host.toolName) !== null)
    return valueAt(payload, host.error) === null ? 'tool' : 'tool_failed'
  if (textAt(payload, host.prompt) !== null) return 'prompt'
  if (textAt(payload, ['stopReason', 'stop_reason', ...host.said]) !== null) return 'stopped'
  return textAt(payload, ['source', 'initialPrompt']) === null ? null : 'started'
}

/** Some hosts send what a tool was given as JSON text. */
function inputOf(value: unknown): AnyObject {
  const input = typeof value === 'string' ? jsonOf(value) : value
  return isObject(input) ? input : {}
}

function textAt(payload: AnyObject, places: readonly Place[]): string | null {
  for (const place of places) {
    const value = valueAt(payload, [place])
    if (typeof value === 'string' && value.trim() !== '') return value.toWellFormed()
  }
  return null
}

/** The first value that is there and is not null, false or empty. */
function valueAt(payload: AnyObject, places: readonly Place[]): unknown {
  for (const place of places) {
    let value: unknown = payload
    for (const name of place.split('.')) value = memberOf(value, name)
    if (value !== undefined && value !== null && value !== false && value !== '') return value
  }
  return null
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
