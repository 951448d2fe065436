import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { WHOLE_CHARACTERS } from '../../src/contract/fields.ts'
import { methodsOf, OPERATIONS } from '../../src/contract/operations.ts'
import { fullDescription, openApiDocument } from '../../src/docs/openapi.ts'
import { pages } from '../../src/docs/pages.ts'
import { EXAMPLES } from '../support/examples.ts'

/** Every sentence of a `.refine` anywhere inside a schema, but of that of all names: what its JSON Schema cannot carry. */
function refinements(schema: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const own =
    schema instanceof z.core.$ZodType
      ? (schema._zod.def.checks ?? []).flatMap((check) => {
          const { check: kind, error } = check._zod.def
          if (kind !== 'custom' || error === undefined) return []
          const sentence = error({ code: 'custom', input: undefined } as never)
          const told = typeof sentence === 'string' ? sentence : (sentence?.message ?? '')
          return told === WHOLE_CHARACTERS ? [] : [told]
        })
      : []
  const inside = schema instanceof z.core.$ZodType ? schema._zod.def : schema
  return [...own, ...Object.values(inside).flatMap((part) => refinements(part, seen))]
}

const references = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')

describe('documents', () => {
  test.each(pages(manifest.version, EXAMPLES))('$path is what the contract says now', ({ path, text }) => {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text)
  })

  test.each(Object.values(OPERATIONS).filter((operation) => operation.request !== null))(
    'every rule in the schema of $name stands in its description',
    (operation) => {
      const description = fullDescription(operation)
      for (const sentence of refinements(operation.request)) expect(description).toContain(sentence)
    },
  )

  test('npm start gives the collector a young generation of the size that the page for operators names', () => {
    const flags = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))
    const limitOf = (nodeFlags: readonly string[]) =>
      Number(
        execFileSync(process.execPath, [...nodeFlags, '-p', 'v8.getHeapStatistics().heap_size_limit'], {
          env: { ...process.env, NODE_OPTIONS: '' },
        }),
      )
    // The young generation has three semi-spaces, of a size that differs by the version of Node unless told.
    expect(limitOf(flags) - limitOf(['--max-semi-space-size=16'])).toBe(3 * 16 * 1024 ** 2)
    expect(readFileSync(new URL('../../docs/reference/operators.md', import.meta.url), 'utf8')).toContain(
      `NODE_OPTIONS=${flags.join(' ')} memgov serve`,
    )
  })

  test('no answer is said to repeat the operation id, as none does', () => {
    for (const { name, response } of Object.values(OPERATIONS))
      expect(JSON.stringify(z.toJSONSchema(response)), name).not.toContain('"operation_id"')
  })

  test('rules are found where they are', () => {
    expect(refinements(OPERATIONS.observe.request)).toHaveLength(5)
    expect(refinements(OPERATIONS.feedback.request)).toHaveLength(2)
  })

  test('the OpenAPI document is of version 3.1 and holds every operation once', () => {
    const document = openApiDocument('1.2.3', EXAMPLES)
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    )
    expect(found).toEqual(
      Object.values(OPERATIONS).flatMap((operation) =>
        methodsOf(operation).map((method, at) => {
          const id = at === 0 ? operation.name : `${operation.name}ByQuery`
          return `${id} ${method.toLowerCase()} ${operation.path.replaceAll(/:(\w+)/g, '{$1}')}`
        }),
      ),
    )
  })

  test('every reference of the OpenAPI document leads somewhere', () => {
    const document = openApiDocument('1', EXAMPLES)
    for (const reference of references(document)) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => Object(at)[key], document)
      if (typeof target !== 'object') throw new Error(`${reference} leads nowhere`)
    }
    expect(references(document)).toContain('#/components/schemas/ExecutionObject')
    expect(references(document)).toContain('#/components/schemas/AgentContext')
  })

  test('every operation says which key it takes, and its example has no field of the path in the body', () => {
    const { paths, components, servers } = openApiDocument('1', EXAMPLES)
    expect(servers[0]).toMatchObject({ url: '/' })
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'apiKey'])
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const open = operations.filter(({ security }) => security.length === 0)
    expect(open.map(({ operationId }) => operationId)).toEqual(
      Object.values(OPERATIONS).flatMap(({ access, name }) => (access === 'everyone' ? [name] : [])),
    )
    for (const { security } of operations)
      expect([[], [{ bearer: [] }, { apiKey: [] }, {}]]).toContainEqual(security)
    const promote = paths['/v1/skills/candidates/{candidate_id}/promote']?.['post']
    expect(promote?.parameters[0]).toMatchObject({ name: 'candidate_id', example: expect.any(String) })
    expect(JSON.stringify(promote?.requestBody)).not.toContain('candidate_id')
  })

  test('a parameter of a query is required where its field is', () => {
    const { paths, components } = openApiDocument('1', EXAMPLES)
    const { parameters = [] } = paths['/v1/operator/memories']?.['get'] ?? {}
    expect(components.schemas['ListMemoriesRequest']?.required).toEqual(['scope'])
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'scope', in: 'query', required: true }))
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'tenant_id', required: false }))
  })

  test('a request schema is closed where the parser is strict, and an answer schema is open everywhere', () => {
    const { schemas } = openApiDocument('1', EXAMPLES).components
    expect(schemas['ExecutionObject']).toMatchObject({ additionalProperties: false })
    expect(schemas['ClaimObject']).toMatchObject({ additionalProperties: false })
    expect(schemas['ObserveRequest']).not.toHaveProperty('additionalProperties')
    expect(JSON.stringify(schemas['GuideResponse'])).not.toContain('"additionalProperties":false')
  })

  test('every field of every request has a description', () => {
    const { schemas } = openApiDocument('1', EXAMPLES).components
    const undescribed: string[] = []
    for (const [name, schema] of Object.entries(schemas)) {
      if (!/Request$|Object$|Node$/.test(name)) continue
      for (const [field, shape] of Object.entries(schema.properties ?? {})) {
        if (Object(shape).description === undefined) undescribed.push(`${name}.${field}`)
      }
    }
    expect(undescribed).toEqual([])
  })
})
