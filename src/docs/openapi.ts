import { z } from 'zod'
import { AgentContext, MemoryUseReceipt } from '../contract/agent-context.ts'
import { BlastRadius } from '../contract/blast-radius.ts'
import { MemoryDecisionAudit, MemoryDecisionTrace } from '../contract/decision-trace.ts'
import { FlightRecorderReport, RecorderTraceObject } from '../contract/flight-recorder.ts'
import { AdmissionRecord, CandidateObject, FirewallSummary } from '../contract/govern.ts'
import { GuidePacket, MemoryPacket } from '../contract/guide.ts'
import { MemoryCredit } from '../contract/memory-decision.ts'
import { MemoryNode, MemoryObject } from '../contract/memory-input.ts'
import { ClaimObject, EdgeObject, ExecutionObject, HandoffObject } from '../contract/observe.ts'
import {
  errorsOf,
  methodsOf,
  OPERATIONS,
  type OperationName,
  type OperationSpec,
  pathFields,
  rulesOf,
} from '../contract/operations.ts'
import { OperatorSnapshot } from '../contract/operator-snapshot.ts'
import { ForgetEffect, RehydrateResult } from '../contract/rehydrate.ts'
import { ClaimLedgerProjection, ErrorResponse, SourceMap } from '../contract/vocabulary.ts'
import { ERRORS, type ErrorCode } from '../core/base/errors.ts'

export type Schema = z.core.JSONSchema.BaseSchema
export type Schemas = Readonly<Record<string, Schema>>

/** A request that was sent and what was answered. */
export interface Example {
  /** Null for an operation without fields. */
  readonly request: object | null
  readonly response: object
}

/** An example of every operation. */
export type Examples = ReadonlyMap<OperationName, Example>

/** @throws when the operation has none */
export function exampleOf(examples: Examples, name: OperationName): Example {
  const example = examples.get(name)
  if (example === undefined) throw new Error(`${name} has no example`)
  return example
}

/** The interface as an OpenAPI 3.1 document, made of the schemas that validate. */
export function openApiDocument(version: string, examples: Examples) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'memgov',
      version,
      description: 'The memory governance runtime for software agents: it decides what a memory may do.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The service that was asked for this document.' },
      { url: 'http://127.0.0.1:3001', description: 'A service at its address of default.' },
    ],
    paths: pathItems(examples),
    components: {
      schemas: bodySchemas(),
      headers: {
        RequestId: {
          description: 'Echo of the x-request-id of the request, or a new one.',
          schema: { type: 'string' },
        },
        RetryAfter: {
          description: 'Seconds after which a repeat makes sense.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
      securitySchemes: KEYS,
    },
  }
}

function pathItems(examples: Examples) {
  const items: Record<string, Record<string, ReturnType<typeof operationObject>>> = {}
  for (const operation of Object.values(OPERATIONS)) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    const item = (items[path] ??= {})
    for (const method of methodsOf(operation))
      item[method.toLowerCase()] = operationObject(operation, method, exampleOf(examples, operation.name))
  }
  return items
}

/** Description of an operation, with every rule that its schema cannot carry. */
export function fullDescription(operation: OperationSpec): string {
  return [operation.description, ...rulesOf(operation)].join(' ')
}

export function schemaName(operation: OperationName, side: 'Request' | 'Response'): string {
  return `${capital(operation)}${side}`
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`
}

/** The name of the schema of a shorter answer: `GuidePromptResponse`. */
function viewName(operation: OperationName, view: string): string {
  return schemaName(operation, 'Response').replace(/Response$/, `${capital(view)}Response`)
}

/** Names of the schemas of every answer that an operation may give, the whole one first. */
export function answerNames({ name, views = {} }: OperationSpec & { readonly name: OperationName }) {
  return [schemaName(name, 'Response'), ...Object.keys(views).map((view) => viewName(name, view))]
}

function operationObject(
  operation: OperationSpec & { readonly name: OperationName },
  method: OperationSpec['method'],
  example: Example,
) {
  const { name, request, access, isStream = false } = operation
  const isQuery = request !== null && method === 'GET'
  const ok = {
    description: 'Done.',
    headers: requestIdHeader,
    content: isStream
      ? { 'text/event-stream': jsonContent(answerNames(operation), example.response)['application/json'] }
      : jsonContent(answerNames(operation), example.response),
  }
  return {
    operationId: method === operation.method ? name : `${name}ByQuery`,
    summary: operation.summary,
    description: fullDescription(operation),
    security: access === 'everyone' ? [] : KEYED,
    parameters: [
      ...pathParameters(operation, example.request),
      REQUEST_ID,
      ...(operation.writes || operation.writesWith !== undefined ? [IDEMPOTENCY_KEY] : []),
      ...(isQuery ? queryParameters(name, request) : []),
    ],
    ...(request === null || isQuery
      ? {}
      : {
          requestBody: {
            required: true,
            content: jsonContent(
              [schemaName(name, 'Request')],
              withoutFields(example.request ?? {}, pathFields(operation)),
            ),
          },
        }),
    responses: { '200': ok, ...errorResponses(errorsOf(operation)) },
  }
}

function pathParameters(operation: OperationSpec, example: object | null): readonly object[] {
  return pathFields(operation).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: `The field \`${name}\`.`,
    schema: { type: 'string', minLength: 1 },
    example: new Map<string, unknown>(Object.entries(example ?? {})).get(name),
  }))
}

/** The fields of a body as query parameters: text as it is, anything else as JSON. */
function queryParameters(name: OperationName, request: z.ZodObject): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(request, { io: 'input' })
  return Object.entries(properties).map(([field, shape]) => {
    const schema = { $ref: `#/components/schemas/${schemaName(name, 'Request')}/properties/${field}` }
    const forms = typeof shape === 'boolean' ? [] : (shape.anyOf ?? [shape])
    const isText = forms.some((form) => typeof form !== 'boolean' && form.type === 'string')
    return {
      name: field,
      in: 'query',
      required: required.includes(field),
      ...(isText ? { schema } : { content: { 'application/json': { schema } } }),
    }
  })
}

const KEYS = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key of memgov keys create.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key.' },
}
/** A service without keys asks for none. */
const KEYED = [{ bearer: [] }, { apiKey: [] }, {}]

const REQUEST_ID = {
  name: 'x-request-id',
  in: 'header',
  required: false,
  description: 'Your id of the request; every answer carries it.',
  schema: { type: 'string' },
}
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same as operation_id in the body.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
}
const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

/** @param names one schema, or those of which the body has any */
function jsonContent(
  names: readonly string[],
  example: object | null,
): { readonly 'application/json': object } {
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
  return { 'application/json': { schema, example } }
}

function errorResponses(codes: readonly ErrorCode[]): Readonly<Record<string, object>> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => ERRORS[code].status === status)
      const isRetried = ofStatus.some((code) => ERRORS[code].retryAfterS !== null)
      return [
        String(status),
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
          headers: {
            ...requestIdHeader,
            ...(isRetried ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {}),
          },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ErrorResponse' },
              examples: Object.fromEntries(
                ofStatus.map((code) => [
                  code,
                  { value: { error: code, message: ERRORS[code].message, details: {} } },
                ]),
              ),
            },
          },
        },
      ]
    }),
  )
}

function requestSchemas(marked: ReadonlyMap<unknown, string>): Schemas {
  const registry = z.registry<{ id: string }>()
  for (const operation of Object.values(OPERATIONS)) {
    if (operation.request !== null)
      registry.add(operation.request, { id: schemaName(operation.name, 'Request') })
  }
  registry.add(MemoryObject, { id: 'MemoryObject' })
  registry.add(MemoryNode, { id: 'MemoryNode' })
  registry.add(ExecutionObject, { id: 'ExecutionObject' })
  registry.add(HandoffObject, { id: 'HandoffObject' })
  registry.add(ClaimObject, { id: 'ClaimObject' })
  registry.add(EdgeObject, { id: 'EdgeObject' })
  registry.add(CandidateObject, { id: 'CandidateObject' })
  registry.add(RecorderTraceObject, { id: 'RecorderTraceObject' })
  return jsonSchemas(registry, 'input', marked)
}

/**
 * Every object with a name, the fields that stand in a path over HTTP included. `marked` gives schemas of requests a format,
 * for those who have to tell them from others.
 */
export function fullSchemas(marked: ReadonlyMap<unknown, string> = new Map()): Schemas {
  return { ...requestSchemas(marked), ...responseSchemas() }
}

function bodySchemas(): Schemas {
  return Object.fromEntries(
    Object.entries(fullSchemas()).map(([name, schema]) => [name, withoutPathFields(name, schema)]),
  )
}

/** What stands in the path is no part of the body. */
function withoutPathFields(name: string, schema: Schema): Schema {
  const operation = Object.values(OPERATIONS).find((each) => schemaName(each.name, 'Request') === name)
  const inPath = operation === undefined ? [] : pathFields(operation)
  if (inPath.length === 0) return schema
  const required = (schema.required ?? []).filter((field) => !inPath.includes(field))
  return { ...schema, properties: withoutFields(schema.properties ?? {}, inPath), required }
}

function withoutFields<Value>(
  record: Readonly<Record<string, Value>> | object,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

function responseSchemas(): Schemas {
  const registry = z.registry<{ id: string }>()
  for (const operation of Object.values(OPERATIONS)) {
    registry.add(operation.response, { id: schemaName(operation.name, 'Response') })
    const { views = {} }: OperationSpec = operation
    for (const [view, schema] of Object.entries(views))
      registry.add(schema, { id: viewName(operation.name, view) })
  }
  registry.add(AgentContext, { id: 'AgentContext' })
  registry.add(MemoryUseReceipt, { id: 'MemoryUseReceipt' })
  registry.add(ClaimLedgerProjection, { id: 'ClaimLedgerProjection' })
  registry.add(MemoryPacket, { id: 'MemoryPacket' })
  registry.add(GuidePacket, { id: 'GuidePacket' })
  registry.add(ForgetEffect, { id: 'ForgetEffect' })
  registry.add(RehydrateResult, { id: 'RehydrateResult' })
  registry.add(AdmissionRecord, { id: 'AdmissionRecord' })
  registry.add(FirewallSummary, { id: 'FirewallSummary' })
  registry.add(OperatorSnapshot, { id: 'OperatorSnapshot' })
  registry.add(BlastRadius, { id: 'BlastRadius' })
  registry.add(MemoryDecisionTrace, { id: 'MemoryDecisionTrace' })
  registry.add(MemoryDecisionAudit, { id: 'MemoryDecisionAudit' })
  registry.add(MemoryCredit, { id: 'MemoryCredit' })
  registry.add(FlightRecorderReport, { id: 'FlightRecorderReport' })
  registry.add(SourceMap, { id: 'SourceMap' })
  registry.add(ErrorResponse, { id: 'ErrorResponse' })
  return jsonSchemas(registry, 'output')
}

function jsonSchemas(
  registry: z.core.$ZodRegistry<{ id: string }>,
  side: 'input' | 'output',
  marked: ReadonlyMap<unknown, string> = new Map(),
): Schemas {
  const { schemas } = z.toJSONSchema(registry, {
    io: side,
    uri: (name) => `#/components/schemas/${name}`,
    override: ({ jsonSchema, zodSchema }) => {
      const format = marked.get(zodSchema)
      if (format !== undefined) jsonSchema.format = format
      // A later version may add fields to an answer: a client that read this document must not break on them.
      if (side === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _address, ...own } = schema
      return [name, own]
    }),
  )
}
