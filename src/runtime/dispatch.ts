import type { OperationName } from '../contract/operations.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { parseRequest } from '../contract/parse.ts'
import { DomainError } from '../core/base/errors.ts'
import type { Durability } from '../ports/journal.ts'
import { type Answered, callOf } from './call.ts'
import { erase } from './erase.ts'
import { feedback } from './feedback.ts'
import { forget } from './forget.ts'
import { govern } from './govern.ts'
import { guide } from './guide.ts'
import { observe } from './observe.ts'
import type { RuntimeParts } from './parts.ts'
import { rehydrate } from './rehydrate.ts'
import { resolve } from './resolve.ts'
import type { CallContext } from './runtime.ts'

/** Parses a request, runs its operation, and says on the answer what was ignored or is not yet durable. */
export async function dispatch(
  parts: RuntimeParts,
  durability: Durability,
  operation: OperationName,
  body: unknown,
  context: CallContext,
): Promise<object> {
  // An erasure is durable whatever the durability of other writes.
  const isLoose = durability !== 'sync' && OPERATIONS[operation].writes && operation !== 'erase'
  const { reply, warnings } = await run(parts, operation, body, context)
  if (warnings.length === 0 && !isLoose) return reply
  const own = 'warnings' in reply && Array.isArray(reply.warnings) ? reply.warnings : []
  const all = [...warnings, ...own]
  // Not as a literal that begins with a spread: the engine takes a microsecond for each field behind it.
  const said = all.length === 0 ? {} : { warnings: all }
  return Object.assign({}, reply, said, isLoose ? { durable: false } : {})
}

async function run(
  parts: RuntimeParts,
  operation: OperationName,
  body: unknown,
  context: CallContext,
): Promise<Answered> {
  switch (operation) {
    case 'observe': {
      const { request, warnings } = parseRequest(OPERATIONS.observe, body)
      return { reply: await observe(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'guide': {
      const { request, warnings } = parseRequest(OPERATIONS.guide, body)
      return { reply: await guide(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'feedback': {
      const { request, warnings } = parseRequest(OPERATIONS.feedback, body)
      return { reply: await feedback(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'govern': {
      const { request, warnings } = parseRequest(OPERATIONS.govern, body)
      return { reply: await govern(parts, request), warnings }
    }
    case 'forget': {
      const { request, warnings } = parseRequest(OPERATIONS.forget, body)
      return { reply: await forget(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'erase': {
      const { request, warnings } = parseRequest(OPERATIONS.erase, body)
      return { reply: await erase(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'rehydrate': {
      const { request, warnings } = parseRequest(OPERATIONS.rehydrate, body)
      return { reply: await rehydrate(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'resolve': {
      const { request, warnings } = parseRequest(OPERATIONS.resolve, body)
      return { reply: await resolve(parts, request), warnings }
    }
    case 'health':
    case 'openapi':
      throw new DomainError('not_found', { operation })
    default: {
      // What operators ask is a third of the program: it is loaded when it is first asked for.
      const { runReport } = await import('./report-dispatch.ts')
      return runReport(parts, operation, body, context)
    }
  }
}
