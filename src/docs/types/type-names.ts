import type { z } from 'zod'

export type Schema = z.core.JSONSchema.BaseSchema

/** Where an object without a name of its own stands. */
interface Place {
  readonly parent: string
  readonly field: string
}

/** Words that mean something else wherever they are read. */
const TAKEN = new Set([
  'Error',
  'Event',
  'Map',
  'Node',
  'Object',
  'Record',
  'Request',
  'Response',
  'Storage',
  'Symbol',
])

/**
 * A name for each object that a schema holds within itself: that of its field, or with that of its parent where
 * several objects have the same field. The same object has one name wherever it stands.
 */
export class TypeNames {
  readonly #roots: ReadonlySet<string>
  readonly #places = new Map<string, Place[]>()
  readonly #schemas = new Map<string, Schema>()
  readonly #names = new Map<string, string>()

  constructor(roots: ReadonlyMap<string, Schema>) {
    this.#roots = new Set(roots.keys())
    for (const [name, schema] of roots) this.#collect(schema, name)
    const counts = new Map<string, number>()
    for (const [first] of this.#places.values()) {
      counts.set(fieldName(first), (counts.get(fieldName(first)) ?? 0) + 1)
    }
    for (const [key, [first]] of this.#places) {
      const short = fieldName(first)
      const isAlone = counts.get(short) === 1 && !this.#roots.has(short) && !TAKEN.has(short)
      this.#names.set(key, this.#free(isAlone ? short : `${first?.parent ?? ''}${short}`))
    }
  }

  /** The objects by their names, in the order in which they are met. */
  *objects(): Iterable<readonly [string, Schema]> {
    for (const [key, schema] of this.#schemas) yield [this.#names.get(key) ?? '', schema]
  }

  nameOf(schema: Schema): string {
    return this.#names.get(keyOf(schema)) ?? 'unknown'
  }

  #free(name: string): string {
    const taken = new Set([...this.#roots, ...this.#names.values()])
    let free = name
    for (let count = 2; taken.has(free); count += 1) free = `${name}${count}`
    return free
  }

  /** `owner` is the name of the object, or a path to it while it has none. */
  #collect(schema: Schema, owner: string): void {
    for (const [field, value] of Object.entries(schema.properties ?? {})) this.#visit(value, owner, field)
    this.#visit(schema.additionalProperties, owner, 'Entry')
  }

  #visit(value: unknown, parent: string, field: string): void {
    if (!isSchema(value)) return
    for (const each of [...(value.anyOf ?? []), ...(value.oneOf ?? []), ...(value.allOf ?? [])])
      this.#visit(each, parent, field)
    for (const each of itemsOf(value)) this.#visit(each, parent, singular(field))
    if (!hasFields(value)) {
      this.#visit(value.additionalProperties, parent, singular(field))
      return
    }
    const key = keyOf(value)
    const places = this.#places.get(key)
    if (places !== undefined) {
      places.push({ parent, field })
      return
    }
    this.#places.set(key, [{ parent, field }])
    this.#schemas.set(key, value)
    this.#collect(value, `${parent}${pascal(field)}`)
  }
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

/** True of an object with fields of its own; the others are maps or anything. */
export function hasFields(schema: Schema): boolean {
  return schema.$ref === undefined && Object.keys(schema.properties ?? {}).length > 0
}

export function itemsOf(schema: Schema): readonly unknown[] {
  if (schema.prefixItems !== undefined) return schema.prefixItems
  return Array.isArray(schema.items) ? schema.items : [schema.items]
}

function keyOf({ description: _said, ...shape }: Schema): string {
  return JSON.stringify(shape)
}

function fieldName(place: Place | undefined): string {
  return pascal(place?.field ?? '')
}

function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function singular(field: string): string {
  if (field.endsWith('ies')) return `${field.slice(0, -3)}y`
  return field.replace(/(?<![su])s$/, '')
}
