import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { assert } from '../../../core/base/assert.ts'
import { FileRefusal } from './stored-file.ts'

/** One value that is put into a JSON text. */
export interface Addition {
  /** Names of the objects around it; those that are missing are made. */
  readonly path: readonly string[]
  /** As which member of the last of them; null: as the last item of a list. */
  readonly name: string | null
  readonly value: unknown
}

/** How a command begins that init has written, in a project or for a user. */
const OWN_COMMAND = /(?:memgov|dist[\\/]+service[\\/]+main\.js)[\\"',\s]+(?:mcp|hook)\b/

/** By which an entry is known as one of ours, whoever else is named in its file. */
function isOwnEntry(value: string): boolean {
  return OWN_COMMAND.test(value) || value.includes('/hooks/claude-code"')
}

/**
 * The text with one value more. It is inserted: every character that was there stays, so comments, order, line ends and
 * commas at the end do too.
 * @throws FileRefusal when the text is no JSON, or something else stands where the value belongs
 */
export function withAddition(text: string, addition: Addition): string {
  const root = rootOf(text)
  if (root === null) {
    const eol = eolOf(text)
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return `${text}${gap}${printed(nested(addition, 0), unitOf(text), eol, '')}${eol}`
  }
  const { path, name, value } = addition
  let node = root
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') throw misplaced(path.slice(0, depth), 'object')
    const next = memberOf(node, key)
    if (next === null) return inserted(text, node, key, nested(addition, depth + 1))
    node = next
  }
  const wanted = name === null ? 'array' : 'object'
  if (node.type !== wanted) throw misplaced(path, wanted)
  if (name !== null && memberOf(node, name) !== null) {
    throw new FileRefusal(
      `has an entry ${[...path, name].join('.')} that memgov init has not made: remove or rename it.`,
    )
  }
  return inserted(text, node, name, value)
}

/** The text without the members and items of ours at these places, and without what is empty then. */
export function withoutOwn(text: string, places: readonly Addition[]): string {
  let left = text
  for (const { path, name } of places) {
    for (;;) {
      const found = ownAt(left, path, name)
      if (found === null) break
      left = removed(left, found)
    }
  }
  return left
}

/** True: a value of ours stands at one of the places. */
export function hasOwn(text: string, places: readonly Addition[]): boolean {
  return places.some(({ path, name }) => ownAt(text, path, name) !== null)
}

/** Whether something stands where the value would be put, whatever it is. */
export function holdsMemberAt(text: string, { path, name }: Addition): boolean {
  return nodeAt(text, [...path, name ?? '']) !== null
}

/** Whether anything inside the text is an object with this member. */
export function holdsMember(text: string, name: string, value: unknown): boolean {
  const root = rootOf(text)
  const holds = (node: Node): boolean =>
    (node.type === 'property' && node.children?.[0]?.value === name && node.children[1]?.value === value) ||
    (node.children ?? []).some(holds)
  return root !== null && holds(root)
}

/** Null: nothing but blanks and comments. */
function rootOf(text: string): Node | null {
  const errors: ParseError[] = []
  const options = { allowTrailingComma: true, allowEmptyContent: true }
  const root = parseTree(text, errors, options) ?? null
  if (errors.length > 0) throw new FileRefusal('is not valid JSON: mend it first.')
  if (root !== null && root.type !== 'object') throw misplaced([], 'object')
  return root
}

function misplaced(path: readonly string[], wanted: string): FileRefusal {
  const place = path.length === 0 ? 'It' : path.join('.')
  return new FileRefusal(
    `is not as its program reads it: ${place} has to be ${wanted === 'array' ? 'a list' : 'an object'}.`,
  )
}

/** Of several members of one name a reader takes the last. */
function memberOf(node: Node, key: string): Node | null {
  const members = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key)
  return members.at(-1)?.children?.[1] ?? null
}

/** The value behind these names of members; null when one of them is missing. */
function nodeAt(text: string, path: Place): Node | null {
  let node = rootOf(text)
  for (const key of path) {
    if (typeof key === 'number') node = node?.children?.[key] ?? null
    else node = node?.type === 'object' ? memberOf(node, key) : null
  }
  return node
}

/** The value with the objects around it from `depth` on. */
function nested({ path, name, value }: Addition, depth: number): unknown {
  const innermost = name === null ? [value] : { [name]: value }
  return path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), innermost)
}

/** Comments that stand behind something on its line. */
const BEHIND = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*/

function inserted(text: string, node: Node, name: string | null, value: unknown): string {
  const [eol, unit] = [eolOf(text), unitOf(text)]
  const [start, close] = [node.offset + 1, node.offset + node.length - 1]
  const inner = text.slice(start, close)
  const key = name === null ? '' : `${JSON.stringify(name)}: `
  const put = (at: number, ...pieces: readonly string[]): string =>
    `${text.slice(0, at)}${pieces.join('')}${text.slice(at)}`
  const base = indentAt(text, node.offset)
  const last = node.children?.at(-1)
  if (last === undefined) {
    const indent = base + unit
    const item = `${eol}${indent}${key}${printed(value, unit, eol, indent)}`
    return inner.includes('\n') ? put(start + inner.trimEnd().length, item) : put(close, item, eol, base)
  }
  const end = last.offset + last.length
  const comma = commaIn(text.slice(end, close))
  const behind = comma === null ? end : end + comma + 1
  if (!inner.includes('\n')) {
    const item = `${key}${JSON.stringify(value)}`
    return comma === null ? put(end, ', ', item) : put(behind, ' ', item, ',')
  }
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : base + unit
  const at = behind + (BEHIND.exec(text.slice(behind, close))?.[0].length ?? 0)
  const item = `${eol}${indent}${key}${printed(value, unit, eol, indent)}`
  if (comma !== null) return put(at, item, ',')
  return `${text.slice(0, end)},${text.slice(end, at)}${item}${text.slice(at)}`
}

/** Where a comma stands in what follows the last item: blanks, comments, and perhaps that. */
function commaIn(tail: string): number | null {
  const blank = tail.replace(/\/\/[^\r\n]*|\/\*[^]*?\*\//g, (comment) => ' '.repeat(comment.length))
  const at = blank.indexOf(',')
  return at < 0 ? null : at
}

function printed(value: unknown, unit: string, eol: string, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** What the first indented line is indented by. */
function unitOf(text: string): string {
  return /^(?:\t| {1,8})(?=["\]}{[])/m.exec(text)?.[0] ?? '  '
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === ''
}

type Place = readonly (string | number)[]

/** The last one, so that those before it keep their places. */
function ownAt(text: string, path: Place, name: string | null): Place | null {
  const node = nodeAt(text, path)
  if (node === null) return null
  if (name !== null) {
    const member = node.type === 'object' ? memberOf(node, name) : null
    return member !== null && isOwnEntry(valueOf(text, member)) ? [...path, name] : null
  }
  const items = node.type === 'array' ? (node.children ?? []) : []
  const at = items.findLastIndex((item) => isOwnEntry(valueOf(text, item)))
  if (at < 0) return null
  // Somebody may have put another hook into the group of ours.
  const hooks = [...path, at, 'hooks']
  const isAlone = (nodeAt(text, hooks)?.children ?? []).length < 2
  return (isAlone ? null : ownAt(text, hooks, null)) ?? [...path, at]
}

function valueOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length)
}

function withoutAt(text: string, at: number | null): string {
  return at === null ? text : text.slice(0, at) + text.slice(at + 1)
}

/** Without the item, or the last member of that name, and its comma; jsonc-parser would take away the first member. */
function removed(text: string, place: Place): string {
  const around = place.slice(0, -1)
  const node = nodeAt(text, around)
  const items = node?.children ?? []
  const nameOf = (item: Node, at: number) => (node?.type === 'array' ? at : item.children?.[0]?.value)
  const at = items.findLastIndex((item, index) => nameOf(item, index) === place.at(-1))
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  assert(node !== null && item !== undefined, 'what is taken away was found')
  const begin = before === undefined ? node.offset + 1 : before.offset + before.length
  const [end, close] = [item.offset + item.length, next?.offset ?? node.offset + node.length - 1]
  const between = text.slice(begin, item.offset)
  const comma = commaIn(text.slice(end, close))
  const kept = comma === null ? withoutAt(between, commaIn(between)) : between
  const left = text.slice(0, begin) + kept.trimEnd() + withoutAt(text.slice(end), comma)
  return around.length > 0 && items.length === 1 ? removed(left, around) : left
}
