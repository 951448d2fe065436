import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { feedbackCommand } from '../../src/runtime/feedback.ts'
import { finishCommand } from '../../src/runtime/finish.ts'
import { governCommand } from '../../src/runtime/govern.ts'
import { guideCommand } from '../../src/runtime/guide.ts'
import { measureCommand } from '../../src/runtime/measure.ts'
import { eraseCommand, forgetCommand, rehydrateCommand } from '../../src/runtime/normalise/lifecycle.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { operatorRead } from '../../src/runtime/operator/read.ts'
import { blastQuery } from '../../src/runtime/reports/blast-radius.ts'
import { traceAsk } from '../../src/runtime/reports/decision-trace.ts'
import { recorderQuery } from '../../src/runtime/reports/flight-recorder-report.ts'
import { snapshotQuery } from '../../src/runtime/reports/operator-snapshot.ts'
import { resolveQuery } from '../../src/runtime/resolve.ts'
import { listCommand, proposeCommand } from '../../src/runtime/skills.ts'
import { example as exampleFor } from '../support/examples.ts'
import { proving } from '../support/prove.ts'
import { BODY_OPERATIONS, type BodyOperation, parse } from './parsing.ts'

const prove = proving(300)
const EXPOSURE = {
  guideTraceId: 'guide_trace:x',
  memoryIds: [],
  surfaces: [],
  consumerAgentId: 'worker-1',
  consumerTeamId: null,
  runId: null,
  taskSignature: null,
  heldOut: false,
  atMs: 0,
  seq: 1,
}

const reading =
  <Request>(
    operation: { readonly request: z.ZodObject & z.ZodType<Request> },
    read: (request: Request) => unknown = (request) => request,
  ) =>
  (body: unknown) =>
    read(parseRequest(operation, body).request)

/** What each operation makes of a body. */
const READ: { readonly [Name in BodyOperation]: (body: unknown) => unknown } = {
  observe: reading(OPERATIONS.observe, observeCommand),
  guide: reading(OPERATIONS.guide, guideCommand),
  feedback: reading(OPERATIONS.feedback, feedbackCommand),
  finish: reading(OPERATIONS.finish, (request) => finishCommand(request, EXPOSURE)),
  govern: reading(OPERATIONS.govern, governCommand),
  forget: reading(OPERATIONS.forget, forgetCommand),
  erase: reading(OPERATIONS.erase, eraseCommand),
  rehydrate: reading(OPERATIONS.rehydrate, rehydrateCommand),
  resolve: reading(OPERATIONS.resolve, resolveQuery),
  measure: reading(OPERATIONS.measure, (request) => measureCommand(request, (text) => text)),
  proposeSkills: reading(OPERATIONS.proposeSkills, proposeCommand),
  listSkills: reading(OPERATIONS.listSkills, listCommand),
  promoteSkill: reading(OPERATIONS.promoteSkill),
  rejectSkill: reading(OPERATIONS.rejectSkill),
  settle: reading(OPERATIONS.settle),
  operatorSnapshot: reading(OPERATIONS.operatorSnapshot, snapshotQuery),
  listActors: reading(OPERATIONS.listActors, (request) => operatorRead('listActors', request)),
  listMemories: reading(OPERATIONS.listMemories, (request) => operatorRead('listMemories', request)),
  searchMemories: reading(OPERATIONS.searchMemories, (request) => operatorRead('searchMemories', request)),
  listGuides: reading(OPERATIONS.listGuides, (request) => operatorRead('listGuides', request)),
  listExternal: reading(OPERATIONS.listExternal, (request) => operatorRead('listExternal', request)),
  listReview: reading(OPERATIONS.listReview, (request) => operatorRead('listReview', request)),
  countRules: reading(OPERATIONS.countRules, (request) => operatorRead('countRules', request)),
  compareEffect: reading(OPERATIONS.compareEffect, (request) => operatorRead('compareEffect', request)),
  blastRadius: reading(OPERATIONS.blastRadius, blastQuery),
  decisionTrace: reading(OPERATIONS.decisionTrace, traceAsk),
  decisionReport: reading(OPERATIONS.decisionReport, traceAsk),
  flightRecorder: reading(OPERATIONS.flightRecorder, recorderQuery),
}

function onlyRefuses(operation: BodyOperation, body: unknown): boolean {
  try {
    READ[operation](body)
    return true
  } catch (error) {
    return error instanceof DomainError
  }
}

/** A body with the field names of the operation and any JSON in some of them. */
function spoiled(operation: BodyOperation): fc.Arbitrary<unknown> {
  const names = Object.keys(OPERATIONS[operation].request.shape)
  const { request: example } = exampleFor(operation)
  const noise = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 4 })
  const inner = fc.dictionary(
    fc.constantFrom('kind', 'text', 'slots', 'nodes', 'title', 'outcome', 'summary', 'anchor', '__proto__'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
  )
  const part = fc.dictionary(fc.constantFrom('memory', 'execution', 'handoff', 'context'), inner)
  return fc.tuple(noise, part).map(([fields, parts]) => ({ ...example, ...parts, ...fields }))
}

describe('reading a request', () => {
  test.each(BODY_OPERATIONS)('%s answers any JSON with a request or a refusal', (operation) => {
    prove(fc.oneof(fc.jsonValue(), spoiled(operation)), (body) => onlyRefuses(operation, body))
  })

  test.each(BODY_OPERATIONS)('%s leaves the body as it was', (operation) => {
    prove(spoiled(operation), (body) => {
      const before = JSON.stringify(body)
      onlyRefuses(operation, body)
      return JSON.stringify(body) === before
    })
  })

  test.each(BODY_OPERATIONS)('%s is read as its whole schema reads it', (operation) => {
    const whole: z.ZodObject = OPERATIONS[operation].request
    const { request: example } = exampleFor(operation)
    const absent = fc
      .subarray(Object.keys(whole.shape))
      .map((names) => names.map((name) => [name, undefined]))
    const bodies = fc
      .tuple(fc.oneof(fc.constant(example), spoiled(operation)), absent)
      .map(([body, pairs]) => ({ ...Object.fromEntries(pairs), ...Object(body) }))
    prove(bodies, (body) => {
      const { success, data } = whole.safeParse(body)
      try {
        // As text: in the same order, too.
        const { request } = parse(operation, body)
        return isDeepStrictEqual(request, data) && JSON.stringify(request) === JSON.stringify(data)
      } catch (error) {
        return error instanceof DomainError && (!success || error.message.includes('is not guessed'))
      }
    })
  })

  test('a cyclic body is refused, not followed', () => {
    const body: Record<string, unknown> = { input_text: 'x' }
    body['memory'] = { payload: body }
    expect(() => parseRequest(OPERATIONS.observe, body)).toThrow(DomainError)
  })
})
