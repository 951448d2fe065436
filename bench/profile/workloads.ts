import { requestsOf } from '../seeded-scope.ts'

/** What is profiled: so many requests of one kind, by one way. */
export interface Workload {
  readonly name: string
  readonly says: string
  readonly kind: 'guide' | 'observe'
  readonly way: 'embedded' | 'http'
  readonly inFlight: number
}

export const WORKLOADS: readonly Workload[] = [
  {
    name: 'guide-embedded',
    says: 'guides inside the process, one after the other',
    kind: 'guide',
    way: 'embedded',
    inFlight: 1,
  },
  {
    name: 'observe-embedded',
    says: 'durable observes inside the process, 16 together',
    kind: 'observe',
    way: 'embedded',
    inFlight: 16,
  },
  {
    name: 'guide-http',
    says: 'guides over one kept TCP connection, the service alone',
    kind: 'guide',
    way: 'http',
    inFlight: 1,
  },
]

export interface WorkloadSize {
  /** In one scope, before anything is asked. */
  readonly memories: number
  readonly warmOps: number
  readonly ops: Readonly<Record<Workload['kind'], number>>
}

export const FULL: WorkloadSize = {
  memories: 10_000,
  warmOps: 4_000,
  ops: { guide: 6_000, observe: 20_000 },
}
export const QUICK: WorkloadSize = { memories: 1_000, warmOps: 200, ops: { guide: 300, observe: 600 } }

/** Bodies made ahead, so that making them is not in the profile. Those that seed differ from those that are counted. */
export function bodiesFor(kind: Workload['kind'] | 'seed', count: number): readonly object[] {
  const requests = requestsOf(kind === 'seed' ? 1 : 2)
  return Array.from({ length: count }, () => (kind === 'guide' ? requests.guide() : requests.observe()))
}
