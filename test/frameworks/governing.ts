import type { GovernBody, GovernResponse } from '../../src/index.ts'
import type { Embedded } from '../harness/embedded.ts'

/** What a client of a service would be, over the service in this process. */
export function governingClient(real: () => Embedded) {
  const asked: GovernBody[] = []
  return {
    asked,
    async govern(body: GovernBody): Promise<GovernResponse> {
      asked.push(body)
      return real().ok('govern', body)
    },
  }
}
