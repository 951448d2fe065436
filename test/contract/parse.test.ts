import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
import { BODY_OPERATIONS, type BodyOperation } from './parsing.ts'

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

function read(operation: BodyOperation, body: unknown): unknown {
  switch (operation) {
    case 'observe':
      return observeCommand(parseRequest(OPERATIONS.observe, body).request)
    case 'guide':
      return guideCommand(parseRequest(OPERATIONS.guide, body).request)
    case 'feedback':
      return feedbackCommand(parseRequest(OPERATIONS.feedback, body).request)
    case 'finish':
      return finishCommand(parseRequest(OPERATIONS.finish, body).request, EXPOSURE)
    case 'govern':
      return governCommand(parseRequest(OPERATIONS.govern, body).request)
    case 'forget':
      return forgetCommand(parseRequest(OPERATIONS.forget, body).request)
    case 'erase':
      return eraseCommand(parseRequest(OPERATIONS.erase, body).request)
    case 'rehydrate':
      return rehydrateCommand(parseRequest(OPERATIONS.rehydrate, body).request)
    case 'resolve':
      return resolveQuery(parseRequest(OPERATIONS.resolve, body).request)
    case 'measure':
      return measureCommand(parseRequest(OPERATIONS.measure, body).request, (text) => text)
    case 'proposeSkills':
      return proposeCommand(parseRequest(OPERATIONS.proposeSkills, body).request)
    case 'listSkills':
      return listCommand(parseRequest(OPERATIONS.listSkills, body).request)
    case 'promoteSkill':
    case 'rejectSkill':
      return parseRequest(OPERATIONS[operation], body).request
    case 'settle':
      return parseRequest(OPERATIONS.settle, body).request
    case 'operatorSnapshot':
      return snapshotQuery(parseRequest(OPERATIONS.operatorSnapshot, body).request)
    case 'listActors':
      return operatorRead(operation, parseRequest(OPERATIONS.listActors, body).request)
    case 'listMemories':
      return operatorRead(operation, parseRequest(OPERATIONS.listMemories, body).request)
    case 'searchMemories':
      return operatorRead(operation, parseRequest(OPERATIONS.searchMemories, body).request)
    case 'listGuides':
      return operatorRead(operation, parseRequest(OPERATIONS.listGuides, body).request)
    case 'listExternal':
      return operatorRead(operation, parseRequest(OPERATIONS.listExternal, body).request)
    case 'listReview':
      return operatorRead(operation, parseRequest(OPERATIONS.listReview, body).request)
    case 'countRules':
      return operatorRead(operation, parseRequest(OPERATIONS.countRules, body).request)
    case 'compareEffect':
      return operatorRead(operation, parseRequest(OPERATIONS.compareEffect, body).request)
    case 'blastRadius':
      return blastQuery(parseRequest(OPERATIONS.blastRadius, body).request)
    case 'decisionTrace':
      return traceAsk(parseRequest(OPERATIONS.decisionTrace, body).request)
    case 'decisionReport':
      return traceAsk(parseRequest(OPERATIONS.decisionReport, body).request)
    case 'flightRecorder':
      return recorderQuery(parseRequest(OPERATIONS.flightRecorder, body).request)
  }
}

function onlyRefuses(operation: BodyOperation, body: unknown): boolean {
  try {
    read(operation, body)
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

  test('a cyclic body is refused, not followed', () => {
    const body: Record<string, unknown> = { input_text: 'x' }
    body['memory'] = { payload: body }
    expect(() => parseRequest(OPERATIONS.observe, body)).toThrow(DomainError)
  })
})
