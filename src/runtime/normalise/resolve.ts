import { parseMemoryUri } from '../../contract/memory-uri.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { RESOLVE_TYPES, type ResolveType, URI_RULES } from '../../contract/resolve.ts'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type { Consumer } from '../../core/model/record.ts'
import { consumerOf, type SentConsumer, sentConsumerOf } from './identity.ts'

const PREVIEW_KEYS_DEFAULT = 10

/** What a resolve request asks for. */
export interface ResolveQuery {
  /** From the URI, which wins over absent body fields. */
  readonly tenantId: string
  readonly scope: string
  readonly uri: string
  readonly type: ResolveType
  readonly id: string
  readonly viewpoint: Consumer
  readonly sent: SentConsumer
  readonly includeMeta: boolean
  readonly slotsMode: 'full' | 'preview' | 'none'
  readonly previewKeys: number
}

/**
 * @throws DomainError `invalid_request` when the URI has another form or disagrees with the body,
 * `memory_not_found` when its type names nothing that memory can be: clients try types one after another.
 */
export function resolveQuery(request: RequestOf<'resolve'>): ResolveQuery {
  const uri = parseMemoryUri(request.uri)
  if (uri === null) throw refused('uri', URI_RULES.form)
  if ((request.tenant_id ?? uri.tenantId) !== uri.tenantId) throw refused('tenant_id', URI_RULES.tenant)
  if ((request.scope ?? uri.scope) !== uri.scope) throw refused('scope', URI_RULES.scope)
  const type = RESOLVE_TYPES.find((each) => each === uri.type)
  if (type === undefined) throw new DomainError('memory_not_found')
  return {
    tenantId: uri.tenantId,
    scope: uri.scope,
    uri: request.uri,
    type,
    id: uri.id,
    viewpoint: consumerOf(request),
    sent: sentConsumerOf(request),
    includeMeta: request.include_meta ?? false,
    slotsMode: slotsModeOf(request),
    previewKeys: request.slots_preview_keys ?? PREVIEW_KEYS_DEFAULT,
  }
}

function slotsModeOf(request: RequestOf<'resolve'>): ResolveQuery['slotsMode'] {
  if (request.include_slots === true) return 'full'
  return request.include_slots_preview === true ? 'preview' : 'none'
}

function refused(path: string, sentence: string): DomainError {
  return invalidRequest([{ path, message: `${path}: ${sentence}` }])
}
