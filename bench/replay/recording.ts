import { readFile } from 'node:fs/promises'
import { z } from 'zod'

// A recording is a JSON array of agent runs in the format of tau-bench: a task, the number of the trial, a reward of
// 0 or 1, and the chat with its tool calls. Other fields are not read.

const ToolCall = z.looseObject({
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
})
const Message = z.looseObject({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(ToolCall).nullish(),
})
const RecordedRun = z.looseObject({
  task_id: z.union([z.int(), z.string().min(1)]),
  trial: z.int().min(0),
  reward: z.literal([0, 1]),
  traj: z.array(Message),
})
const Recording = z.array(RecordedRun)

export interface Call {
  readonly name: string
  /** JSON as the agent wrote it. */
  readonly argumentsText: string
}

export interface Run {
  readonly taskId: string
  readonly trial: number
  readonly isSuccess: boolean
  readonly calls: readonly Call[]
  /** What the user said first; empty when nobody said anything. */
  readonly firstUserMessage: string
}

/** The file cannot be replayed; the message says why in a sentence. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

const ISSUES_SHOWN = 3

/** Reads a recording. Rejects with RecordingError. */
export async function readRecording(path: string): Promise<readonly Run[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new RecordingError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`)
  }
  return parseRecording(path, text)
}

/** @throws RecordingError */
export function parseRecording(name: string, text: string): readonly Run[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new RecordingError(`${name} is not JSON.`)
  }
  const parsed = Recording.safeParse(json)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${placeOf(issue.path)}: ${issue.message}`)
    const more = lines.length - ISSUES_SHOWN
    throw new RecordingError(
      [
        `${name} is not a recording, an array of {task_id, trial, reward: 0 or 1, traj: [messages]}:`,
        ...lines.slice(0, ISSUES_SHOWN),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ].join('\n'),
    )
  }
  const runs = parsed.data.map(runOf)
  assertDistinct(name, runs)
  return runs
}

function runOf({ task_id, trial, reward, traj }: z.output<typeof RecordedRun>): Run {
  return {
    taskId: String(task_id),
    trial,
    isSuccess: reward === 1,
    calls: traj
      .flatMap((message) => message.tool_calls ?? [])
      .map((call) => ({ name: call.function.name, argumentsText: call.function.arguments })),
    firstUserMessage: traj.find((message) => message.role === 'user')?.content?.trim() ?? '',
  }
}

function assertDistinct(name: string, runs: readonly Run[]): void {
  const seen = new Set<string>()
  for (const { taskId, trial } of runs) {
    const run = JSON.stringify([taskId, trial])
    if (seen.has(run)) throw new RecordingError(`${name} has trial ${trial} of task ${taskId} twice.`)
    seen.add(run)
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path
  if (first === undefined) return 'the file'
  return [`run ${String(first)}`, ...rest.map(String)].join('.')
}
