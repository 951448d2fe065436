import { DEFAULT_SCOPE, DEFAULT_TENANT, type SharedRequest } from '../../contract/shared-request.ts'
import type { Consumer } from '../../core/model/record.ts'
import { LOCAL_AGENT } from '../../core/model/visibility.ts'

export interface RequestIdentity {
  readonly tenantId: string
  readonly scope: string
  /** Null: the request is not idempotent. */
  readonly operationId: string | null
}

type Identified = Pick<SharedRequest, 'tenant_id' | 'scope' | 'operation_id'>
type Consuming = Pick<SharedRequest, 'consumer_agent_id' | 'agent_id' | 'consumer_team_id' | 'team_id'>

/** Which actor a request belongs to. */
export function identityOf(request: Identified): RequestIdentity {
  return {
    tenantId: request.tenant_id ?? DEFAULT_TENANT,
    scope: request.scope ?? DEFAULT_SCOPE,
    operationId: request.operation_id ?? null,
  }
}

export function agentIdOf(request: Consuming): string | null {
  return request.consumer_agent_id ?? request.agent_id ?? null
}

export function teamIdOf(request: Consuming): string | null {
  return request.consumer_team_id ?? request.team_id ?? null
}

/** The consumer fields that a request really sent; null: left out. */
export interface SentConsumer {
  readonly agentId: string | null
  readonly teamId: string | null
}

/** A request that sends none. */
export const NOBODY_SENT: SentConsumer = { agentId: null, teamId: null }

export function sentConsumerOf(request: Consuming): SentConsumer {
  return { agentId: agentIdOf(request), teamId: teamIdOf(request) }
}

export function isConsumerGiven(request: Consuming): boolean {
  return agentIdOf(request) !== null || teamIdOf(request) !== null
}

export function consumerOf(request: Consuming): Consumer {
  return { agentId: agentIdOf(request) ?? LOCAL_AGENT, teamId: teamIdOf(request) }
}
