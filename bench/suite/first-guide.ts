import { jsonClient } from '../json-client.ts'
import { type ServiceOptions, startService } from '../service-process.ts'
import { cpuMsOf } from '../soak/process-size.ts'

export interface FirstGuide {
  /** From the start of the process to its word that it listens. */
  readonly listeningMs: number
  /** From the start of the process to the first guide answered. */
  readonly ms: number
  /** Of all threads until then, on a busy machine the better figure; 0 where the system does not tell. */
  readonly processorMs: number
}

/** Starts a service over a folder, asks one guide, and kills it or, for `isOrderly`, shuts it down in order. */
export async function firstGuide(
  options: ServiceOptions,
  guide: object,
  isOrderly = false,
): Promise<FirstGuide> {
  const body = JSON.stringify(guide)
  const startedAt = performance.now()
  const service = await startService(options)
  try {
    const client = jsonClient(service.url)
    await client.answer('/v1/guide', body)
    const ms = performance.now() - startedAt
    const processorMs = cpuMsOf(service.child.pid ?? 0) ?? 0
    await client.close()
    return { listeningMs: service.startMs, ms, processorMs }
  } finally {
    await (isOrderly ? service.stop() : service.kill())
  }
}
