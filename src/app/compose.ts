import type { Config } from './config.ts'
import type { Composition, SystemPorts } from './serve.ts'

export function compose(config: Config, _system: SystemPorts): Promise<Composition> {
  return Promise.reject(new Error(`No runtime is wired for ${config.dataDir}.`))
}
