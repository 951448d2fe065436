import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, test } from 'vitest'
import { tellCounts } from '../harness/counts.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { scaled } from '../harness/scale.ts'

/** Races of this run. */
const ROUNDS = scaled(200)

// Takes the lock of a folder when told to, answers whether it has it, and gives it back when told to.
const PROGRAM = `
  import { acquireLock } from '${new URL('../../dist/src/adapters/files/lock.js', import.meta.url).href}'
  let lock = null
  process.on('message', async ({ take, dir }) => {
    if (!take) {
      await lock?.release()
      process.send('free')
      return
    }
    try {
      lock = await acquireLock(dir)
      process.send('won')
    } catch (error) {
      lock = null
      process.send(error.message.includes('is in use by') ? 'lost' : error.message)
    }
  })
  process.send('ready')
`

class Racer {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(path: string): Promise<Racer> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: path },
    })
    const racer = new Racer(child)
    racers.add(racer)
    await racer.#answer()
    return racer
  }

  take(dir: string): Promise<string> {
    return this.#ask({ take: true, dir })
  }

  release(): Promise<string> {
    return this.#ask({ take: false, dir: '' })
  }

  async kill(): Promise<void> {
    racers.delete(this)
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  #ask(message: object): Promise<string> {
    const answer = this.#answer()
    this.#child.send(message)
    return answer
  }

  async #answer(): Promise<string> {
    const [answer] = await once(this.#child, 'message')
    return String(answer)
  }
}

const racers = new Set<Racer>()

afterEach(async () => {
  for (const racer of racers) await racer.kill()
})

test(
  'of two processes that race for a folder exactly one has it, also after kill -9',
  async () => {
    const dir = dataFolder()
    const path = process.env['PATH'] ?? ''
    const two = [await Racer.start(path), await Racer.start(path)]
    for (let round = 0; round < ROUNDS; round += 1) {
      // Nobody may depend on it: an operator takes it away.
      if (round % 10 === 9) rmSync(join(dir, 'LOCK'), { force: true })
      const answers = await Promise.all(two.map((racer) => racer.take(dir)))
      expect(answers.toSorted(), `round ${round}`).toEqual(['lost', 'won'])
      const winner = answers.indexOf('won')
      if (round % 20 !== 19) await two[winner]?.release()
      else {
        await two[winner]?.kill()
        two[winner] = await Racer.start(path)
      }
    }
    tellCounts('lock', { races: ROUNDS })
  },
  Math.max(60_000, ROUNDS * 1000),
)
