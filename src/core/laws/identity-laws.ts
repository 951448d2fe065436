import type { Rule } from './rule.ts'

/** The laws of identity by key. */
export const IDENTITY_LAWS: readonly Rule[] = [
  {
    id: 'I1',
    law: 'With a key a request means the tenant of that key and a scope that it may enter, or it is refused.',
  },
  {
    id: 'I2',
    law: 'With the key of an agent a request means that agent and its team, as consumer, producer and owner, or it is refused.',
  },
  { id: 'I3', law: 'A key writes only words of the origins that it may bring.' },
  {
    id: 'I4',
    law: 'An operation for operators, or on a whole actor, is refused to a key that is not an operator’s; a key that may only read writes nothing but what guides have shown.',
  },
  {
    id: 'I5',
    law: 'A key that is not an operator’s suppresses nothing that stands above its origins, and restores only what it has suppressed itself.',
  },
  { id: 'I6', law: 'What the key of an operator writes is an operator’s word: it yields to no other.' },
]
