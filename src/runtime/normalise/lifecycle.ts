import type { RequestOf } from '../../contract/operations.ts'
import type { referenceFields } from '../../contract/rehydrate.ts'
import { parseMemoryUri } from '../../contract/resolve.ts'
import { REHYDRATE_MODES } from '../../core/base/closed-sets.ts'
import { invalidRequest } from '../../core/base/errors.ts'
import type { LifecycleCommand } from '../../core/model/commands.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { EraseCommand } from '../../core/write/erase.ts'
import { consumerOf, distinct, firstOf, identityOf, type Reading, viewerIn } from './identity.ts'

type Referring = Pick<RequestOf<'rehydrate'>, 'tenant_id' | 'scope' | keyof typeof referenceFields>

/** What a forget request means. Without consumer fields an operator sees the whole actor, except to rehydrate. */
export function forgetCommand(
  request: RequestOf<'forget'>,
  principal: Principal | null = null,
): Reading<LifecycleCommand> {
  const isRehydrate = request.operation === 'rehydrate'
  const warnings: string[] = []
  if (request.until !== undefined && request.until !== null && request.operation !== 'suppress') {
    warnings.push('until was ignored: it belongs to operation suppress')
  }
  const command: LifecycleCommand = {
    operation: request.operation,
    target: request.target,
    reason: request.reason,
    viewpoint: isRehydrate ? consumerOf(request) : viewerIn(request),
    actorName: firstOf(request.actor),
    principal,
    ...referencesIn(request),
    untilMs: request.operation === 'suppress' ? (request.until ?? null) : null,
    guideTraceId: request.guide_trace_id ?? null,
    mode: REHYDRATE_MODES.find((mode) => mode === request.mode) ?? 'partial',
    includeLinkedDecisions: request.include_linked_decisions ?? true,
    runId: request.run_id ?? null,
    outcome: request.outcome ?? null,
    usedSurface: request.used_surface ?? null,
    verifierStatus: request.verifier_status ?? null,
    toolStatus: request.tool_status ?? null,
    runtimeSignalRefs: distinct(request.runtime_signal_refs),
  }
  return { command, warnings }
}

/** What a rehydrate request means. It returns text, so that it always has somebody's eyes. */
export function rehydrateCommand(
  request: RequestOf<'rehydrate'>,
  principal: Principal | null = null,
): Reading<LifecycleCommand> {
  return forgetCommand({ ...request, operation: 'rehydrate', target: request.target ?? 'memory' }, principal)
}

/** What an erase request means. Without consumer fields an operator sees the whole actor. */
export function eraseCommand(request: RequestOf<'erase'>): EraseCommand {
  return {
    reason: request.reason,
    viewpoint: viewerIn(request),
    actorName: firstOf(request.actor),
    ...referencesIn(request),
  }
}

function referencesIn(request: Referring): Pick<LifecycleCommand, 'memoryIds' | 'clientIds' | 'anchors'> {
  const memoryIds = distinct(request.memory_ids, request.node_ids)
  const clientIds = distinct(request.client_ids)
  const anchors = distinct([request.anchor_id, anchorOf(request)])
  // What was used is only meant when nothing else is: next to other references it is the evidence, not the target.
  const isNamed = memoryIds.length + clientIds.length + anchors.length > 0
  return { memoryIds: isNamed ? memoryIds : distinct(request.used_memory_ids), clientIds, anchors }
}

const ANCHOR_PLACE =
  'anchor_uri: Send the tenant and scope of the URI as tenant_id and scope: a request that leaves them out is about default.'

/** The id inside an anchor URI; an anchor of another form is taken as it is. */
function anchorOf(request: Referring): string | null {
  const said = request.anchor_uri ?? null
  const uri = said === null ? null : parseMemoryUri(said)
  if (uri === null) return said
  const { tenantId, scope } = identityOf(request)
  if (uri.tenantId === tenantId && uri.scope === scope) return uri.id
  throw invalidRequest([{ path: 'anchor_uri', message: ANCHOR_PLACE }])
}
