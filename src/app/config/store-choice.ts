import type { StoreChoice } from '../../edges/cli/flags.ts'
import { readConfig } from './config.ts'
import type { Config } from './options.ts'

/** The configuration with the database that a command names; null: that of the configuration, if there is one. */
export function configOver(store: StoreChoice | null, given: Readonly<Record<string, unknown>> = {}): Config {
  const file = store?.file ?? null
  const { config } = readConfig({ ...given, ...(file === null ? {} : { storeFile: file }) })
  if (store === null) return config
  return { ...config, store: store.url, storeFile: file }
}
