/// <reference lib="es2024.string" />
import { isObject, type JsonObject, jsonOf } from '../json/json.ts'
import type { EventKind, HostRow, Place } from './hosts.ts'

/** An event of a host. Null: the payload has no such text. */
export interface HookEvent {
  readonly kind: EventKind
  /** As the host calls it. */
  readonly name: string
  readonly session: string | null
  readonly turn: string | null
  readonly cwd: string | null
  readonly prompt: string | null
  readonly said: string | null
  /** Why a session starts. */
  readonly source: string | null
  readonly tool: ToolUse | null
}

export interface ToolUse {
  readonly name: string
  readonly input: JsonObject
  readonly id: string | null
  /** Null: the host does not say. */
  readonly hasSucceeded: boolean | null
}

/** Null: nothing that concerns us. */
export function readEvent(host: HostRow, payload: unknown, named: string | null): HookEvent | null {
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
    name,
    session: text(host.session),
    turn: text(host.turn),
    cwd: folderIn(text(host.cwd)),
    prompt: text(host.prompt),
    said: text(host.said),
    source: text(['source']),
    tool:
      toolName === null
        ? null
        : {
            name: toolName,
            input: inputOf(valueAt(payload, host.toolInput)),
            id: text(host.toolId),
            hasSucceeded: isStopped ? null : hasFailed ? false : host.tellsSuccess ? true : null,
          },
  }
}

/** No system has a longer path, and what is known of a folder is kept by its path. */
const FOLDER_CHARS_MAX = 4096

function folderIn(path: string | null): string | null {
  return path === null || path.length > FOLDER_CHARS_MAX ? null : path
}

/** Where neither payload nor caller names the event, its members do. */
function eventByShape(host: HostRow, payload: JsonObject): string | null {
  const kind = kindByShape(host, payload)
  return Object.keys(host.events).findLast((name) => host.events[name] === kind) ?? null
}

function kindByShape(host: HostRow, payload: JsonObject): EventKind | null {
  if (textAt(payload, host.toolName) !== null)
    return valueAt(payload, host.error) === null ? 'tool' : 'tool_failed'
  if (textAt(payload, host.prompt) !== null) return 'prompt'
  if (textAt(payload, ['stopReason', 'stop_reason', ...host.said]) !== null) return 'stopped'
  return textAt(payload, ['source', 'initialPrompt']) === null ? null : 'started'
}

/** Some hosts send what a tool was given as JSON text. */
function inputOf(value: unknown): JsonObject {
  const input = typeof value === 'string' ? jsonOf(value) : value
  return isObject(input) ? input : {}
}

function textAt(payload: JsonObject, places: readonly Place[]): string | null {
  for (const place of places) {
    const value = valueAt(payload, [place])
    if (typeof value === 'string' && value.trim() !== '') return value.toWellFormed()
  }
  return null
}

/** The first value that is there and is not null, false or empty. */
function valueAt(payload: JsonObject, places: readonly Place[]): unknown {
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
