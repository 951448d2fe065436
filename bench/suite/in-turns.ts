import type { JsonClient } from '../json-client.ts'
import { quantile } from '../measure.ts'

/** Which of two goes first: each as often as the other. */
export function turnsOf(round: number): readonly (0 | 1)[] {
  return round % 2 === 0 ? [0, 1] : [1, 0]
}

/**
 * Median time of a request to each of two services, ms. Both are asked the same, request by request in turn, so that they
 * meet the same moment of the machine.
 */
export async function mediansInTurns(
  clients: readonly [JsonClient, JsonClient],
  count: number,
  path: string,
  made: () => object,
): Promise<readonly [number, number]> {
  const took: [number[], number[]] = [[], []]
  for (let request = 0; request < count; request += 1) {
    const text = JSON.stringify(made())
    for (const at of turnsOf(request)) {
      const startedAt = performance.now()
      await clients[at].answer(path, text)
      took[at].push(performance.now() - startedAt)
    }
  }
  return [quantile(took[0], 0.5), quantile(took[1], 0.5)]
}
