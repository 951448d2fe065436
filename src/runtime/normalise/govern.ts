import type { WireCandidate } from '../../contract/govern.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { MEMORY_DOMAINS, MEMORY_TYPES } from '../../core/base/closed-sets.ts'
import { type Candidate, type GovernCommand, TIME_KEYS } from '../../core/external/govern.ts'
import { isAboutWork } from '../../core/external/govern-signal.ts'
import { firstOf } from './absence.ts'
import { roleOf } from './guide.ts'
import { consumerOf, identityOf, outcomeAudience, type Reading, taskOf } from './identity.ts'
import { declaredTypeOf } from './words.ts'

const TARGET_FILES_MAX = 32

/** What a govern request means. What a source left unsaid counts as its least trusted word. */
export function governCommand(request: RequestOf<'govern'>): Reading<GovernCommand> {
  const warnings: string[] = []
  const { tenantId, scope } = identityOf(request)
  const { runId, taskSignature } = taskOf(request)
  const consumer = consumerOf(request)
  const mode = request.mode ?? 'standard'
  const command: GovernCommand = {
    tenantId,
    scope,
    queryText: request.query_text,
    consumer,
    mode: mode === 'admission' ? 'standard' : mode,
    isCompact: request.context_mode !== 'standard',
    profile: request.task_context_profile ?? request.context?.task_context_profile ?? 'general',
    role: roleOf(firstOf(request.agent_role, request.context?.agent_role), warnings),
    runId,
    taskSignature,
    includeRecords: request.include_records ?? false,
    recordFor: request.record === true ? outcomeAudience(request, consumer) : null,
    candidates: request.candidates.map(candidateOf),
  }
  return { command, warnings }
}

function candidateOf(wire: WireCandidate): Candidate {
  const metadata = wire.metadata ?? {}
  const hint = wire.lifecycle_hint ?? 'unknown'
  const targetFiles = filesOf(metadata)
  const declaredType =
    MEMORY_TYPES.find((type) => type === wordOf(metadata['memory_type'])) ??
    declaredTypeOf(textOf(metadata['kind']))
  const declaredDomain = MEMORY_DOMAINS.find((domain) => domain === wordOf(metadata['domain'])) ?? null
  const isWork = isAboutWork(wire.text, declaredType, hint === 'procedure', targetFiles.length > 0)
  return {
    externalId: wire.external_memory_id,
    sourceBackend: wire.source_backend,
    text: wire.text,
    title: textOf(metadata['title']) ?? textOf(metadata['name']),
    hint,
    sourceTrust: wire.authority?.source_trust ?? 'unknown',
    authorityScope: firstOf(wire.authority?.scope) ?? 'unknown',
    requirement: wire.authority?.evidence_requirement ?? 'inspect_before_use',
    metadataScope: scopeOf(metadata['scope']),
    domain: declaredDomain ?? (isWork ? 'execution' : 'general'),
    screenedAs: declaredDomain ?? (declaredType === 'execution_memory' ? 'execution' : 'general'),
    declaredType,
    // A declared domain cannot take back what the content shows.
    readsSelfClaims: isWork || declaredDomain === 'execution',
    targetFiles,
    evidenceRefs: (wire.evidence_refs ?? []).filter((ref) => ref !== ''),
    times: TIME_KEYS.map((key) => timeOf(metadata[key])),
  }
}

function filesOf(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  for (const key of ['target_files', 'files', 'paths']) {
    const said = metadata[key]
    const files = (Array.isArray(said) ? said : [said]).map(textOf).filter((file) => file !== null)
    if (files.length > 0) return files.slice(0, TARGET_FILES_MAX)
  }
  return []
}

/** Something that is no text still says that it is not the scope of the request. */
function scopeOf(said: unknown): string | null {
  if (said === undefined || said === null) return null
  if (typeof said !== 'string') return JSON.stringify(said)
  return textOf(said)
}

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i
const EPOCH_SECONDS = /^\d{1,11}(?:\.\d+)?$/

/** ISO 8601, in UTC where it names no zone, or seconds since 1970; null for anything else. */
function timeOf(said: unknown): number | null {
  const text = typeof said === 'number' ? String(said) : textOf(said)
  if (text === null) return null
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1_000)
  if (!ISO_DATE.test(text)) return null
  const isZoned = text.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = Date.parse(isZoned ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) ? null : ms
}

function wordOf(said: unknown): string | null {
  return textOf(said)?.toLowerCase() ?? null
}

function textOf(said: unknown): string | null {
  if (typeof said !== 'string') return null
  const text = said.trim()
  return text === '' ? null : text
}
