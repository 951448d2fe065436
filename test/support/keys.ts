import type { KeyGrant } from '../../src/adapters/keys/key-folder.ts'

/** What the key of an agent may do in a tenant of its own. */
export function keyGrant(changes: Partial<KeyGrant> = {}): KeyGrant {
  return {
    name: 'of a test',
    tenantId: 'acme',
    scopes: [{ name: 'shop', isPrefix: false }],
    agentId: 'planner',
    teamId: 'red',
    origins: ['agent', 'tool'],
    isReadOnly: false,
    isOperator: false,
    readsMetrics: false,
    expiresAtMs: null,
    ...changes,
  }
}
