import {
  AGENT_ROLES,
  LIFECYCLE_STATES,
  MEMORY_TYPES,
  OUTCOMES,
  VERIFIER_STATUSES,
} from '../../core/base/closed-sets.ts'
import type { Schema } from '../openapi.ts'

/** Where an object without a name of its own stands. */
interface Place {
  readonly parent: string
  readonly field: string
  readonly schema: Schema
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
  /** Where each object is met first. */
  readonly #places = new Map<string, Place>()
  readonly #names = new Map<string, string>()

  constructor(roots: ReadonlyMap<string, Schema>) {
    this.#roots = new Set(roots.keys())
    for (const [name, schema] of roots) this.#collect(schema, name)
    const fields = [...this.#places.values()].map(({ field }) => pascal(field))
    for (const [key, { parent, field }] of this.#places) {
      const short = pascal(field)
      const isOnce = fields.indexOf(short) === fields.lastIndexOf(short)
      const isAlone = isOnce && !this.#roots.has(short) && !TAKEN.has(short)
      this.#names.set(key, this.#free(isAlone ? short : `${parent}${short}`))
    }
  }

  /** The objects by their names, in the order in which they are met. */
  *objects(): Iterable<readonly [string, Schema]> {
    for (const [key, { schema }] of this.#places) yield [this.#names.get(key) ?? '', schema]
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
    if (this.#places.has(key)) return
    this.#places.set(key, { parent, field, schema: value })
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

function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function singular(field: string): string {
  if (field.endsWith('ies')) return `${field.slice(0, -3)}y`
  return field.replace(/(?<![su])s$/, '')
}

/** The format of a time in a request, which a caller inside the process may send as a date. */
export const INSTANT = 'instant'

/** How schemas are written as TypeScript. */
export class TypeText {
  readonly #names: TypeNames

  constructor(names: TypeNames) {
    this.#names = names
  }

  /** An interface with the sentences of its schema. What another one has just the same it takes from there. */
  interfaceOf(name: string, schema: Schema, base?: readonly [name: string, schema: Schema]): string {
    return [
      ...comment(schema.description ?? '', ''),
      `export interface ${name} ${base === undefined ? '' : `extends ${base[0]} `}{`,
      ...this.#fields(base === undefined ? schema : otherThan(schema, base[1])),
      '}',
    ].join('\n')
  }

  #fields(schema: Schema): readonly string[] {
    const required = new Set(schema.required ?? [])
    const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (typeof field === 'boolean') return []
      const type = this.typeOf(field, name)
      // What is left out may as well be said to be undefined.
      const said = required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
      return [...comment(field.description ?? '', '  '), `  readonly ${said}`]
    })
    const others = schema.additionalProperties
    return isSchema(others) ? [...fields, '  readonly [field: string]: unknown'] : fields
  }

  /** `field`: the name of the field whose type it is. */
  typeOf(schema: Schema, field: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return literals(schema.enum)
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives !== undefined) return this.#union(alternatives, field, schema.description)
    if (schema.allOf !== undefined) {
      return schema.allOf.flatMap((each) => (isSchema(each) ? [this.typeOf(each, field)] : [])).join(' & ')
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => this.typeOf({ ...schema, type }, field)).join(' | ')
    }
    switch (schema.type) {
      case 'string': {
        if (schema.format === INSTANT) return 'string | Date'
        const words = openWords(field, schema.description ?? '')
        return words === null ? 'string' : `${literals(words)} | (string & {})`
      }
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'null':
        return 'null'
      case 'array':
        return this.#list(schema, field)
      case 'object':
        return hasFields(schema) ? this.#names.nameOf(schema) : this.#map(schema, field)
      default:
        return 'unknown'
    }
  }

  #union(alternatives: readonly unknown[], field: string, description: string | undefined): string {
    const types = alternatives.flatMap((each) =>
      // The words of a field that may be null are told by the field.
      isSchema(each) ? [this.typeOf(description === undefined ? each : { description, ...each }, field)] : [],
    )
    return [...new Set(types)].join(' | ')
  }

  #list(schema: Schema, field: string): string {
    const items = itemsOf(schema).map((item) => (isSchema(item) ? this.typeOf(item, field) : 'unknown'))
    const item = [...new Set(items)].join(' | ')
    return `readonly ${/[ |&]/.test(item) ? `(${item})` : item}[]`
  }

  #map(schema: Schema, field: string): string {
    const values = schema.additionalProperties
    const value = isSchema(values) ? this.typeOf(values, field) : 'unknown'
    const keys = isSchema(schema.propertyNames) ? schema.propertyNames.enum : undefined
    if (keys === undefined) return `{ readonly [key: string]: ${value} }`
    const isWhole = (schema.required ?? []).length > 0
    return `{ readonly [Key in ${literals(keys)}]${isWhole ? '' : '?'}: ${value} }`
  }
}

function otherThan(schema: Schema, base: Schema): Schema {
  const isSame = (field: string, own: unknown) =>
    !schema.required?.includes(field) && JSON.stringify(own) === JSON.stringify(base.properties?.[field])
  const own = Object.entries(schema.properties ?? {}).filter(([field, value]) => !isSame(field, value))
  return { ...schema, properties: Object.fromEntries(own) }
}

export function literals(words: readonly unknown[]): string {
  return words.map((word) => JSON.stringify(word)).join(' | ')
}

/** Lines of a comment for editors; none for no text. A paragraph is not broken: editors do. */
export function comment(text: string, indent: string): readonly string[] {
  if (text === '') return []
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return [`${indent}/** ${lines[0] ?? ''} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

/**
 * Fields of requests that know some words and take any other text. Their schemas say text, because nothing is refused,
 * and name the words in their description; an editor offers them.
 */
export const OPEN_WORDS: Readonly<Record<string, readonly string[]>> = {
  agent_role: AGENT_ROLES,
  kind: MEMORY_TYPES,
  lifecycle: LIFECYCLE_STATES,
  memory_kind: ['general_memory', 'execution_workflow'],
  outcome: OUTCOMES,
  status: VERIFIER_STATUSES,
  tier: ['hot', 'warm', 'cold', 'archive'],
}

/** The words of a field, or null: it is another field of that name, or takes no words. */
function openWords(name: string, description: string): readonly string[] | null {
  const words = Object.hasOwn(OPEN_WORDS, name) ? OPEN_WORDS[name] : undefined
  return words?.every((word) => description.includes(word)) === true ? words : null
}
