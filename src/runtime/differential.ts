import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Content, MemoryRecord } from '../core/model/record.ts'
import { evidenceView, wholeText } from './memory-view.ts'

/**
 * What changed since the guide that exposed the memory, or since its last revision, field by field. Facets are
 * compared by their recorded changes, content by its revisions.
 */
export function differentialView(record: MemoryRecord, exposure: ExposureRecord | null) {
  if (exposure !== null) {
    const then = contentAt(record, exposure.seq)
    return {
      compared_with: 'guide' as const,
      from_revision: then.revision,
      guide_trace_id: exposure.guideTraceId,
      changes: [...facetChanges(record, exposure.seq), ...contentChanges(then.content, record.content)],
    }
  }
  const before = record.revisions.at(-1)
  if (before === undefined) {
    return { compared_with: 'nothing' as const, from_revision: null, guide_trace_id: null, changes: [] }
  }
  return {
    compared_with: 'revision' as const,
    from_revision: before.revision,
    guide_trace_id: null,
    changes: [...facetChanges(record, record.seq - 1), ...contentChanges(before.content, record.content)],
  }
}

/** The content as it stood after the turn `seq`. */
function contentAt(
  record: MemoryRecord,
  seq: number,
): { readonly revision: number; readonly content: Content } {
  if (record.seq <= seq) return { revision: record.revision, content: record.content }
  const past = record.revisions.findLast((revision) => revision.seq <= seq) ?? record.revisions[0]
  return past ?? { revision: record.revision, content: record.content }
}

function facetChanges(record: MemoryRecord, afterSeq: number) {
  const changes = new Map<string, { field: string; before: unknown; after: unknown }>()
  for (const change of record.changes) {
    if (change.seq <= afterSeq) continue
    const field = `lifecycle.${change.facet}`
    changes.set(field, { field, before: changes.get(field)?.before ?? change.from, after: change.to })
  }
  return [...changes.values()].filter(({ before, after }) => before !== after)
}

function contentChanges(before: Content, after: Content) {
  const then = flat(before)
  const now = flat(after)
  return Object.keys(now)
    .filter((field) => JSON.stringify(then[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: then[field], after: now[field] }))
}

function flat(content: Content): Readonly<Record<string, unknown>> {
  const { title, summary, payload } = content
  return { title, text: wholeText(content), summary, ...evidenceView(content), payload }
}
