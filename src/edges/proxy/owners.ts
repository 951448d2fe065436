import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '../json/json.ts'
import type { Upstream } from './upstreams.ts'

// Whose memory a request reads, and the scope of memgov that stands for it. The upstream decides who may read it; here it
// decides where evidence is kept, so that what one user says of a memory counts for no other.

/** Whose memory is read, as far as a request says it. */
export interface Owners {
  /** By field: the ids that the request names. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
  /** True: the request joins or excludes owners, so a row of another one may be meant. */
  readonly isOpen: boolean
}

/** Where rows are judged; null: nobody says whose they are. */
export type ScopeName = string | null

/** Operators that name exactly the ids behind them. */
const EXACT = ['in', 'eq']
/** Operators of filters that may let in rows of others. */
const JOINS = ['or', 'not']

/** @param said path parts, query and body, each by its names */
export function ownersIn(upstream: Upstream, said: readonly JsonObject[]): Owners {
  const named = new Map<string, Set<string>>()
  let isOpen = false
  const add = (field: string, value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) add(field, each)
    else if (isObject(value)) {
      for (const [operator, inner] of Object.entries(value)) {
        if (EXACT.includes(operator)) add(field, inner)
        else isOpen = true
      }
    } else if (value === '*') isOpen = true
    else if (typeof value === 'string' || typeof value === 'number') {
      const ids = named.get(field) ?? new Set()
      named.set(field, ids.add(String(value)))
    }
  }
  const read = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) read(each)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      const field = upstream.owners.includes(name) ? name : upstream.ownerLists[name]
      if (field !== undefined) add(field, inner)
      else if (JOINS.includes(name.toLowerCase())) {
        isOpen = true
        read(inner)
      } else if (name === 'filters' || name.toLowerCase() === 'and') read(inner)
    }
  }
  for (const each of said) read(each)
  return { named, isOpen }
}

/**
 * The scope in which a row is judged: that of its one owner, as the request names it, else of the owner that the row names,
 * else of all owners of the request together.
 */
export function scopeOf(upstream: Upstream, owners: Owners, row: JsonObject): ScopeName {
  const field = upstream.owners.find((each) => owners.named.has(each))
  const ids = field === undefined ? [] : [...(owners.named.get(field) ?? [])]
  const [only] = ids
  if (!owners.isOpen && field !== undefined && ids.length === 1 && only !== undefined) {
    return scopeName(upstream, field, only)
  }
  const own = upstream.owners.find((each) => idAt(row, each) !== null)
  if (own !== undefined) return scopeName(upstream, own, idAt(row, own) ?? '')
  if (owners.isOpen || field === undefined) return null
  return scopeName(upstream, `${field}s`, JSON.stringify(ids.toSorted()))
}

/** True: the row says that it is of somebody else than the request asks for. */
export function isForeign({ named, isOpen }: Owners, row: JsonObject): boolean {
  if (isOpen) return false
  return [...named].some(([field, ids]) => {
    const said = row[field]
    if (said === undefined || said === null || said === '') return false
    // Of several owners one is enough; what cannot be read as an owner is nobody's.
    const owners = Array.isArray(said) ? said : [said]
    return !owners.some((owner) => isId(owner) && ids.has(String(owner)))
  })
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function idAt(row: JsonObject, field: string): string | null {
  const id = row[field]
  return isId(id) && id !== '' ? String(id) : null
}

const SCOPE_CHARS_MAX = 256
/** What a scope may hold as it is: it is trimmed, and has no control character. */
const AS_IT_IS = /^(?!sha256:)[^\s\p{C}]+$/u

/** `mem0:user_id:alice`; an id that no scope can hold is written as its digest. */
export function scopeName({ backend }: Upstream, field: string, id: string): string {
  const name = `${backend}:${field}:${id}`
  if (AS_IT_IS.test(id) && name.length <= SCOPE_CHARS_MAX) return name
  return `${backend}:${field}:sha256:${createHash('sha256').update(id).digest('hex')}`
}
