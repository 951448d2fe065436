import type { HookHost } from '../../src/ports/telemetry.ts'

/** What a host sends: the prompt, a command that succeeded, an edit, and the end of the prompt. */
interface HostPayloads {
  readonly prompt: (cwd: string, text: string, turn: string) => object
  readonly ran: (cwd: string, command: string, turn: string) => object
  readonly failed: ((cwd: string, command: string, turn: string) => object) | null
  readonly edited: (cwd: string, path: string, turn: string) => object
  readonly stopped: (cwd: string, said: string, turn: string) => readonly object[]
  /** Where the payload does not say it. */
  readonly eventOf?: (payload: object) => string
  readonly tellsSuccess: boolean
}

export const claude = (cwd: string, turn: string) => ({
  session_id: 's-1',
  transcript_path: '/home/me/.claude/projects/x.jsonl',
  cwd,
  prompt_id: turn,
  permission_mode: 'default',
})
export const codex = (cwd: string, turn: string) => ({
  session_id: 's-1',
  turn_id: turn,
  cwd,
  model: 'gpt',
  transcript_path: null,
})
export const cursor = (cwd: string, turn: string) => ({
  conversation_id: 's-1',
  generation_id: turn,
  workspace_roots: [cwd],
})
const gemini = (cwd: string) => ({
  session_id: 's-1',
  transcript_path: '/x',
  cwd,
  timestamp: '2026-11-02T10:00:00Z',
})
export const copilot = (cwd: string) => ({ sessionId: 's-1', timestamp: 1_762_000_000_000, cwd })

export const PAYLOADS: Readonly<Record<HookHost, HostPayloads>> = {
  'claude-code': {
    prompt: (cwd, prompt, turn) => ({ ...claude(cwd, turn), hook_event_name: 'UserPromptSubmit', prompt }),
    ran: (cwd, command, turn) => ({
      ...claude(cwd, turn),
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command, description: 'a run' },
      tool_use_id: 'toolu_1',
      tool_response: { stdout: 'out-7c1e', stderr: '', interrupted: false },
    }),
    failed: (cwd, command, turn) => ({
      ...claude(cwd, turn),
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 'toolu_2',
      error: 'Exit code 2\nout-7c1e',
      is_interrupt: false,
      duration_ms: 12,
    }),
    edited: (cwd, file_path, turn) => ({
      ...claude(cwd, turn),
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path, old_string: 'text-51b', new_string: 'text-52b' },
      tool_use_id: `toolu_${file_path}`,
      tool_response: { filePath: file_path },
    }),
    stopped: (cwd, last_assistant_message, turn) => [
      {
        ...claude(cwd, turn),
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message,
        background_tasks: [],
      },
    ],
    tellsSuccess: true,
  },
  codex: {
    prompt: (cwd, prompt, turn) => ({ ...codex(cwd, turn), hook_event_name: 'UserPromptSubmit', prompt }),
    ran: (cwd, command, turn) => ({
      ...codex(cwd, turn),
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 'call_1',
      tool_response: 'out-7c1e',
    }),
    failed: null,
    edited: (cwd, path, turn) => ({
      ...codex(cwd, turn),
      hook_event_name: 'PostToolUse',
      tool_name: 'apply_patch',
      tool_input: {
        command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-text-51b\n+text-52b\n*** End Patch`,
      },
      tool_use_id: `call_${path}`,
      tool_response: 'Done',
    }),
    stopped: (cwd, last_assistant_message, turn) => [
      { ...codex(cwd, turn), hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message },
    ],
    tellsSuccess: false,
  },
  gemini: {
    prompt: (cwd, prompt) => ({ ...gemini(cwd), hook_event_name: 'BeforeAgent', prompt }),
    ran: (cwd, command) => ({
      ...gemini(cwd),
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
      tool_response: { llmContent: 'out-7c1e', returnDisplay: 'out-7c1e' },
    }),
    failed: (cwd, command) => ({
      ...gemini(cwd),
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
      tool_response: { llmContent: 'out-7c1e', error: { message: 'out-7c1e' } },
    }),
    edited: (cwd, file_path) => ({
      ...gemini(cwd),
      hook_event_name: 'AfterTool',
      tool_name: 'replace',
      tool_input: { file_path, old_string: 'text-51b', new_string: 'text-52b' },
      tool_response: { llmContent: 'ok' },
    }),
    stopped: (cwd, prompt_response) => [
      {
        ...gemini(cwd),
        hook_event_name: 'AfterAgent',
        prompt: 'x',
        prompt_response,
        stop_hook_active: false,
      },
    ],
    tellsSuccess: false,
  },
  cursor: {
    prompt: (cwd, prompt, turn) => ({
      ...cursor(cwd, turn),
      hook_event_name: 'beforeSubmitPrompt',
      prompt,
      attachments: [],
    }),
    ran: (cwd, command, turn) => ({
      ...cursor(cwd, turn),
      hook_event_name: 'postToolUse',
      tool_name: 'Shell',
      tool_input: { command, working_directory: cwd },
      tool_output: '{"output":"out-7c1e"}',
      tool_use_id: 'a',
      cwd,
    }),
    failed: (cwd, command, turn) => ({
      ...cursor(cwd, turn),
      hook_event_name: 'postToolUseFailure',
      tool_name: 'Shell',
      tool_input: { command },
      error_message: 'out-7c1e',
      failure_type: 'error',
      is_interrupt: false,
      cwd,
    }),
    edited: (cwd, file_path, turn) => ({
      ...cursor(cwd, turn),
      hook_event_name: 'postToolUse',
      tool_name: 'Write',
      tool_input: { file_path, content: 'text-52b' },
      tool_use_id: `w${file_path}`,
      cwd,
    }),
    stopped: (cwd, text, turn) => [
      { ...cursor(cwd, turn), hook_event_name: 'afterAgentResponse', text },
      { ...cursor(cwd, turn), hook_event_name: 'stop', status: 'completed', loop_count: 0 },
    ],
    tellsSuccess: false,
  },
  copilot: {
    prompt: (cwd, prompt) => ({ ...copilot(cwd), prompt }),
    ran: (cwd, command) => ({
      ...copilot(cwd),
      toolName: 'bash',
      toolArgs: JSON.stringify({ command, description: 'a run' }),
      toolResult: { resultType: 'success', textResultForLlm: 'out-7c1e' },
    }),
    failed: (cwd, command) => ({
      ...copilot(cwd),
      toolName: 'bash',
      toolArgs: { command },
      error: 'out-7c1e',
    }),
    edited: (cwd, path) => ({
      ...copilot(cwd),
      toolName: 'edit',
      toolArgs: JSON.stringify({ path, old_str: 'text-51b', new_str: 'text-52b' }),
      toolResult: { resultType: 'success' },
    }),
    stopped: (cwd) => [{ ...copilot(cwd), stopReason: 'end_turn', transcriptPath: '/x' }],
    tellsSuccess: false,
  },
}
export const HOSTS = Object.keys(PAYLOADS) as readonly HookHost[]
