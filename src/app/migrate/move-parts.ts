import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Config } from '../config/options.ts'

export interface MoveParts {
  /** As of the service; with embeddings, `embeddingsModel` is the name of their model. */
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** Which memories want no vector is kept also where no model is configured: under a model without a name. */
export function withModel(config: Config, hasVectors: boolean): Config {
  if (config.embeddingsUrl !== null || !hasVectors) return config
  return { ...config, embeddingsUrl: 'file:', embeddingsModel: '' }
}
