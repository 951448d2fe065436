import { caller, makeScene, type Place, type Scene } from './console-scene.ts'
import { dataFolder } from './data-folder.ts'
import { type ServedProcess, startProcess } from './process.ts'

/** A service as users run it, with a scene, which can be killed and started anew at the same address. */
export interface ConsoleService {
  readonly dir: string
  readonly url: string
  readonly place: Place
  readonly scene: Scene
  kill(): Promise<void>
  again(): Promise<void>
}

export async function startConsoleService(): Promise<ConsoleService> {
  const dir = dataFolder()
  let served: ServedProcess = await startProcess(dir)
  const { url } = served
  const place = { tenant_id: 'default', scope: 'checkout' }
  const scene = await makeScene(caller(url), place)
  return {
    dir,
    url,
    place,
    scene,
    async kill() {
      await served.end('SIGKILL')
    },
    async again() {
      served = await startProcess(dir, [], { port: Number(new URL(url).port) })
    },
  }
}
