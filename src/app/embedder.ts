import { httpEmbedder } from '../adapters/embedder/http-embedder.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Clock } from '../ports/system.ts'
import type { Config } from './config/options.ts'

/** What embeds texts, by the configuration; null: nothing does. */
export async function embedderOf(
  config: Config,
  { clock }: { readonly clock: Clock },
): Promise<Embedder | null> {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key, embeddingsDimensions } = config
  if (url === null) return null
  // Only who has a model of their own reads what runs it.
  if (url.startsWith('file:'))
    return (await import('../adapters/embedder/local-embedder.ts')).openLocalEmbedder(url)
  return httpEmbedder({ url, model, key, dimensions: embeddingsDimensions, clock })
}
