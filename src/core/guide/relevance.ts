import type { MemoryRecord } from '../model/record.ts'
import type { GuideEntry, GuideView } from './entry.ts'

/**
 * The entries with `relevantWarning` set: true for a do_not_use memory that shares a task or workflow signature, a
 * target path or an identifier of the query with what is asked, or a signature or path with a use_now memory.
 */
export function markRelevantWarnings(entries: readonly GuideEntry[], view: GuideView): readonly GuideEntry[] {
  const useNow = entries.filter((entry) => entry.surface === 'use_now').map((entry) => entry.record)
  const touches = relevanceTest(view, useNow)
  return entries.map((entry) => {
    const relevantWarning = entry.surface === 'do_not_use' && touches(entry.record)
    return relevantWarning === entry.relevantWarning ? entry : { ...entry, relevantWarning }
  })
}

function relevanceTest(view: GuideView, useNow: readonly MemoryRecord[]): (record: MemoryRecord) => boolean {
  const tasks = signatures(view.taskSignature, useNow, (record) => record.taskSignature)
  const workflows = signatures(view.workflowSignature, useNow, (record) => record.workflowSignature)
  const paths = new Set<string>()
  for (const { content } of useNow) for (const path of content.targetFiles) paths.add(path)
  const identifiers = view.queryIdentifiers.map((identifier) => identifier.toLowerCase()).filter(Boolean)
  return (record) => {
    if (record.taskSignature !== null && tasks.has(record.taskSignature)) return true
    if (record.workflowSignature !== null && workflows.has(record.workflowSignature)) return true
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
  const { content } = record
  const text = `${content.title ?? ''}\n${content.summary ?? ''}\n${content.text}`.toLowerCase()
  return identifiers.some((identifier) => hasWord(text, identifier))
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
