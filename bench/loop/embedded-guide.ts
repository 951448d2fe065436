import { cp } from 'node:fs/promises'
import { createRuntime, type GuideBody } from '../../src/app/create-runtime.ts'

export interface EmbeddedGuide {
  guide(body: GuideBody): Promise<object>
  close(): Promise<void>
}

/** The service inside this process, without durability, over a copy of a data folder that nobody uses. */
export async function openEmbeddedGuide(dataDir: string, copy: string): Promise<EmbeddedGuide> {
  await cp(dataDir, copy, { recursive: true })
  return createRuntime({ dataDir: copy, durability: 'none', logLevel: 'error' })
}
