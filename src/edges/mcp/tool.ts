import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { RequestedName } from '../../contract/operations.ts'
import { parseRequest } from '../../contract/parse.ts'
import { Refusal } from './refusal.ts'

/** What a client may assume of a tool before it calls it. Nothing here reaches beyond the service. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** A tool in the words of an agent: arguments, the operation that they are a request of, and what its answer reads like. */
interface ToolRow<Shape extends z.ZodRawShape, Answer> {
  readonly name: string
  readonly title: string
  /** Begins with the words by which a search finds it, and says when not to call it. */
  readonly description: string
  readonly hints: Hints
  readonly operation: RequestedName
  readonly arguments: Shape
  readonly body: (given: z.output<z.ZodObject<Shape, z.core.$strict>>) => object
  /** The part of an answer that an agent is told. */
  readonly answer: z.ZodType<Answer>
  readonly told: (answer: Answer) => readonly string[]
}

export interface Tool {
  readonly operation: RequestedName
  /** It writes more than that something was shown. */
  readonly changes: boolean
  readonly listed: ListedTool
  /** @throws invalid_request in the names of the arguments */
  bodyOf(given: unknown): object
  /** @throws Refusal when a service of another version answers otherwise */
  textsOf(answer: unknown): readonly string[]
}

const OTHER_VERSION =
  'The service answers otherwise than expected: start the service and this program from the same version of memgov.'

/** Schemas are made here, once. */
export function tool<Shape extends z.ZodRawShape, Answer>(row: ToolRow<Shape, Answer>): Tool {
  const { name, title, description, hints, operation } = row
  const request = z.strictObject(row.arguments)
  return {
    operation,
    changes: !hints.readOnlyHint,
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(request),
      annotations: { title, ...hints, openWorldHint: false },
    },
    bodyOf: (given) => row.body(parseRequest({ request }, given).request),
    textsOf(answer) {
      const { data } = row.answer.safeParse(answer)
      if (data === undefined) throw new Refusal('other_version', OTHER_VERSION)
      return row.told(data)
    },
  }
}

/** Null counts as absent in every optional field; a model reads a schema more easily that does not say so. */
function inputSchemaOf(request: z.ZodObject): ListedTool['inputSchema'] {
  const { properties, required = [] } = z.toJSONSchema(request, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const [only, ...others] = (jsonSchema.anyOf ?? []).filter(({ type }) => type !== 'null')
      if (only === undefined || others.length > 0) return
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, { ...only, ...jsonSchema })
    },
  })
  const plain = z.record(z.string(), z.json()).parse(properties)
  return { type: 'object', properties: plain, required, additionalProperties: false }
}
