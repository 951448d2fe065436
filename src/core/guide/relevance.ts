import type { MemoryRecord } from '../model/record.ts'
import { eachToken, GRAM } from '../search/tokens.ts'
import { isExactIdentifier } from '../text/identifiers.ts'
import type { GuideEntry, GuideView } from './entry.ts'

/** Reasons of recall that show on their own that a memory is about what is asked. */
const STRONG_REASONS: readonly string[] = ['exact_identifier', 'text_match', 'semantic_match']

export function isStrongMatch({ isWeak, recallSources }: GuideEntry): boolean {
  return !isWeak && recallSources.some(({ reason }) => STRONG_REASONS.includes(reason))
}

/**
 * Whether a memory touches what is asked or may be used: it shares a task or workflow signature, a target path or an
 * identifier of the query with what is asked, or a signature or path with a use_now memory.
 */
export function touchTest(
  view: GuideView,
  useNow: readonly MemoryRecord[],
): (record: MemoryRecord) => boolean {
  const tasks = signatures(view.taskSignature, useNow, (record) => record.taskSignature)
  const workflows = signatures(view.workflowSignature, useNow, (record) => record.workflowSignature)
  const paths = new Set<string>()
  for (const { content } of useNow) for (const path of content.targetFiles) paths.add(path)
  const identifiers = view.queryIdentifiers.map((identifier) => identifier.toLowerCase()).filter(Boolean)
  const asked = new Set(view.queryIdentifiers)
  return (record) => {
    if (record.taskSignature !== null && tasks.has(record.taskSignature)) return true
    if (record.workflowSignature !== null && workflows.has(record.workflowSignature)) return true
    if (record.runId !== null && asked.has(record.runId)) return true
    if (record.content.targetFiles.some((path) => paths.has(path) || namesPath(identifiers, path)))
      return true
    return identifiers.length > 0 && namesIdentifier(identifiers, record)
  }
}

function signatures(
  asked: string | null,
  useNow: readonly MemoryRecord[],
  signatureOf: (record: MemoryRecord) => string | null,
): ReadonlySet<string> {
  const found = new Set<string>()
  if (asked !== null) found.add(asked)
  for (const record of useNow) {
    const signature = signatureOf(record)
    if (signature !== null) found.add(signature)
  }
  return found
}

/** A query names a path whole or by its last parts: `auth/login.ts` names `src/auth/login.ts`. */
function namesPath(identifiers: readonly string[], path: string): boolean {
  const target = path.toLowerCase()
  return identifiers.some((identifier) => target === identifier || target.endsWith(`/${identifier}`))
}

function namesIdentifier(identifiers: readonly string[], record: MemoryRecord): boolean {
  const text = wordsOf(record).toLowerCase()
  return identifiers.some((identifier) => hasWord(text, identifier))
}

/** What can be a path, symbol, version or code has one of these. Most prose is passed over by it. */
const IDENTIFIER_SIGNS = /[_./#@:0-9]|\p{Ll}\p{Lu}/u

/** Whether a memory names a path, symbol or id that a use_now memory names too. */
export function sharedNameTest(useNow: readonly MemoryRecord[]): (record: MemoryRecord) => boolean {
  let usable: readonly string[] | null = null
  return (record) => {
    const said = wordsOf(record)
    if (useNow.length === 0 || !IDENTIFIER_SIGNS.test(said)) return false
    const names = identifiersIn(said)
    if (names.size === 0) return false
    usable ??= useNow.map((each) => `${wordsOf(each)}\n${each.content.targetFiles.join('\n')}`.toLowerCase())
    const texts = usable
    return [...names].some((name) => texts.some((text) => hasWord(text, name)))
  }
}

/** In small letters. A number, date or version alone names nothing. */
function identifiersIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  eachToken(text.slice(0, NAMED_CHARS_MAX), ({ cased, lower }, start, end, kind, isPart) => {
    if (isPart || kind === GRAM || !isExactIdentifier(cased, start, end)) return
    const name = lower.slice(start, end)
    if (/\p{L}/u.test(name)) names.add(name)
  })
  return names
}

/** Of a longer text what comes after is not looked at. */
const NAMED_CHARS_MAX = 4000

function wordsOf({ content }: MemoryRecord): string {
  return `${content.title ?? ''}\n${content.summary ?? ''}\n${content.text}`
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!isWordUnit(text.charCodeAt(at - 1)) && !isWordUnit(text.charCodeAt(at + word.length))) return true
  }
  return false
}

function isWordUnit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code > 0xbf
}
