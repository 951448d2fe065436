import type { Principal } from '../../ports/keys.ts'
import { HOOK_OUTCOMES, type HookHost, type HookOutcome } from '../../ports/telemetry.ts'

/** What one key has heard of the hooks of one host, counted since the start of the service. */
interface FiredHost extends Readonly<Record<HookOutcome, number>> {
  readonly host: HookHost
  /** ISO 8601. */
  readonly last_at: string
}

type Count = Record<HookOutcome, number> & { lastMs: number }

/** Which hooks have fired, for who sent them: a key learns nothing of the hooks of others. As large as the number of keys. */
export class FiredHooks {
  /** By id of the key; the empty one stands for requests without a key. */
  readonly #byKey = new Map<string, Map<HookHost, Count>>()

  add(principal: Principal | null, host: HookHost, outcome: HookOutcome, nowMs: number): void {
    const id = principal?.keyId ?? ''
    const hosts = this.#byKey.get(id) ?? new Map<HookHost, Count>()
    this.#byKey.set(id, hosts)
    const count = hosts.get(host) ?? { ...none(), lastMs: nowMs }
    hosts.set(host, count)
    count[outcome] += 1
    count.lastMs = nowMs
  }

  of(principal: Principal | null): readonly FiredHost[] {
    const hosts = [...(this.#byKey.get(principal?.keyId ?? '') ?? [])]
    return hosts.map(([host, { lastMs, ...counts }]) => ({
      host,
      ...counts,
      last_at: new Date(lastMs).toISOString(),
    }))
  }
}

function none(): Record<HookOutcome, number> {
  return Object.fromEntries(HOOK_OUTCOMES.map((outcome) => [outcome, 0])) as Record<HookOutcome, number>
}
