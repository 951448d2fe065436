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
  /** Any value there: somebody stopped the tool, which says nothing of it. */
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
  'claude-code': { ...PAYLOAD, events: EVENTS, tellsSuccess: true, answer: specific },
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
