import { z } from 'zod'

/** An object that has these fields and no others. */
export function described<Shape extends z.core.$ZodShape>(description: string, shape: Shape) {
  return z.strictObject(shape).meta({ description })
}

export const strings = z.array(z.string())
export const isoTime = z.iso.datetime({ precision: 3 })
export const count = z.int().min(0)

/** The names of a table, for a schema that takes one of them. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  const isName = (name: string): name is keyof Table & string => Object.hasOwn(table, name)
  return Object.keys(table).filter(isName)
}

/** A value that nobody changes. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Frozen<Value[Field]> }
    : Value

/** An answer as code makes it: what its schema promises. */
export type Answer<Schema extends z.ZodType> = Frozen<z.output<Schema>>

export const SourceMap = described('Which parts of the runtime made the answer.', {
  routes_used: strings.meta({ description: 'Routes that took part.' }),
  internal_surfaces_used: strings.meta({ description: 'Parts of the runtime that took part.' }),
  omitted_internal_surfaces: strings.meta({ description: 'What was left out of this answer.' }),
})

/** What is left of an erased memory in a report about a guide. */
export const ErasedMemory = z.strictObject({ memory_id: z.string(), erased_at: isoTime, seq: count })

/** Fields of every 200 under /v1. */
export function envelope<Version extends string>(version: Version) {
  return {
    contract_version: z.literal(version).meta({ description: 'Shape of this answer.' }),
    tenant_id: z.string().meta({ description: 'Tenant the answer belongs to.' }),
    scope: z.string().meta({ description: 'Scope the answer belongs to.' }),
    source_map: SourceMap,
    warnings: strings
      .min(1)
      .optional()
      .meta({ description: 'What was ignored or read differently. Left out when there is nothing to say.' }),
  }
}

/** Fields of every 200 of a writing endpoint. */
export function writtenEnvelope<Version extends string>(version: Version) {
  return {
    ...envelope(version),
    durable: z
      .literal(false)
      .optional()
      .meta({ description: 'Present and false when the answer left before the write was flushed.' }),
    operation_id: z
      .string()
      .optional()
      .meta({ description: 'Echo of the operation id that the request carried.' }),
  }
}
