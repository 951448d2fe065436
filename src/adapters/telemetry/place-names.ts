import { createHmac, randomBytes } from 'node:crypto'
import { partsOfActorKey } from '../../core/base/ids.ts'

/** Hex digits of a name: ten thousand places hardly ever share one. */
const DIGITS = 12
/** Places whose names are kept: the same ones are asked for again and again. */
const KEPT_MAX = 4096

/**
 * Names for tenants and scopes that say nothing of them to whoever has not the key: keyed hashes, cut short. With a key of
 * the operator a place has the same name after a restart and on other nodes; without one each start has its own key.
 */
export class PlaceNames {
  readonly #key: string | Uint8Array
  readonly #known = new Map<string, { readonly tenant: string; readonly scope: string }>()

  constructor(key: string | null) {
    this.#key = key ?? randomBytes(32)
  }

  of(actorKey: string) {
    const known = this.#known.get(actorKey)
    if (known !== undefined) return known
    if (this.#known.size >= KEPT_MAX) this.#known.clear()
    const { tenantId } = partsOfActorKey(actorKey)
    const name = { tenant: this.#hash(`tenant ${tenantId}`), scope: this.#hash(`scope ${actorKey}`) }
    this.#known.set(actorKey, name)
    return name
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, DIGITS)
  }
}
