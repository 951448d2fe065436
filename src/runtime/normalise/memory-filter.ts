import type { MemoryFilterFields } from '../../contract/operator-memories.ts'
import type { MemoryFilter } from '../../core/report/memory-list.ts'

type FilterFields = Omit<MemoryFilterFields, 'text'> & { readonly text?: unknown }

/** What filters of memory mean, where memory is listed and where it is acted on. */
export function filterOf(request: FilterFields): MemoryFilter {
  return {
    surface: request.surface ?? null,
    lifecycleState: request.lifecycle_state ?? null,
    memoryType: request.memory_type ?? null,
    kind: request.kind ?? null,
    origin: request.origin ?? null,
    lane: request.memory_lane ?? null,
    ownerAgentId: request.owner_agent_id ?? null,
    ownerTeamId: request.owner_team_id ?? null,
    runId: request.run_id ?? null,
    taskSignature: request.task_signature ?? null,
    workflowSignature: request.workflow_signature ?? null,
    file: request.file ?? null,
    createdFromMs: request.created_from ?? null,
    createdBeforeMs: request.created_to ?? null,
    observedFromMs: request.observed_from ?? null,
    observedBeforeMs: request.observed_to ?? null,
    texts: textsOf(request),
  }
}

/** A list by address refuses a text, whatever it is. */
function textsOf(request: FilterFields): readonly string[] {
  if (typeof request.text !== 'string') return []
  const text = request.text.toLowerCase()
  const isWords = request.text_match === 'words'
  return isWords ? text.split(/\s+/u) : [text]
}
