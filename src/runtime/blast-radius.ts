import type { Actor } from '../actor/actor.ts'
import type { BlastRadiusRequest } from '../contract/blast-radius.ts'
import { DomainError } from '../core/base/errors.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import {
  type Blast,
  type BlastSubject,
  blastOf,
  blastRadius as blastRadiusOf,
  type GuideScan,
  involvedIds,
  isOwnGuide,
  isTouched,
} from '../core/report/blast-radius.ts'
import type { ReportView } from '../core/report/operator-snapshot-view.ts'
import { isoOf } from './iso-time.ts'
import { blastQuery } from './normalise/blast-radius.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from './parts.ts'
import { guidesNewestFirst } from './story.ts'

/** Guides looked through; the answer says when there are more. */
const GUIDES_SCANNED_MAX = 10_000

/** Everything that a memory, or everything of one source, has touched. Changes nothing. @throws memory_not_found */
export async function blastRadius(parts: RuntimeParts, request: BlastRadiusRequest): Promise<object> {
  const query = blastQuery(request)
  const { subject, eyes } = query
  return parts.registry.use(query.tenantId, query.scope, async (actor) => {
    const viewAt = (nowMs: number): ReportView => ({ state: actor.state, eyes, nowMs, isoTime: isoOf })
    const early = viewAt(parts.clock.nowMs())
    const scan = await scanGuides(parts, actor, early, found(early, subject))
    return actor.turn((_state, nowMs) => {
      // Asked again: memory may have come while the guides were read.
      const view = viewAt(nowMs)
      const report = blastRadiusOf(view, subject, found(view, subject), scan)
      const used = ['memory_lookup', 'exposure_ledger']
      return {
        events: [],
        reply: {
          ...envelopeOf('svc_blast_radius_result_v1', query),
          blast_radius: report,
          source_map: sourceMap('/v1/audit/blast-radius', used, ['agent_prompt_text', 'raw_payloads']),
        },
      }
    })
  })
}

function found(view: ReportView, subject: BlastSubject): Blast {
  const blast = blastOf(view, subject)
  if (blast.roots.length === 0) throw new DomainError('memory_not_found', { [subject.by]: subject.value })
  return blast
}

async function scanGuides(
  parts: RuntimeParts,
  actor: Actor,
  view: ReportView,
  blast: Blast,
): Promise<GuideScan> {
  const ids = involvedIds(blast)
  const exposures: ExposureRecord[] = []
  let readCount = 0
  // Guides of others are read and not told of: their number would say what others do.
  let scannedCount = 0
  for await (const exposure of guidesNewestFirst(parts, actor)) {
    if (readCount === GUIDES_SCANNED_MAX) return { exposures, scannedCount, isCut: true }
    readCount += 1
    if (!isOwnGuide(view, exposure)) continue
    scannedCount += 1
    if (isTouched(view, exposure, ids)) exposures.push(exposure)
  }
  return { exposures, scannedCount, isCut: false }
}
