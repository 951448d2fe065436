import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { runToEnd, startProcess } from '../harness/process.ts'

const FLAG = '--heap-growing-percent=100'

// Tells of every flag that is set while the process runs, and sets it.
const TELLING = [
  "import v8 from 'node:v8'",
  "import { syncBuiltinESMExports } from 'node:module'",
  'const set = v8.setFlagsFromString',
  "v8.setFlagsFromString = (flag) => { process.stderr.write('set ' + flag + '\\n'); set(flag) }",
  'syncBuiltinESMExports()',
].join(';')
const ENV = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TELLING)}` }

const flagsIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^set (.*)$/gm)].map(([, flag]) => flag ?? '')

/** The flags that a service sets; `engine` is what stands on the command line of the engine. */
async function flagsOf(engine: readonly string[]): Promise<readonly string[]> {
  const through = ['sh', '-c', `exec "$0" ${engine.join(' ')} "$@"`]
  const service = await startProcess(dataFolder(), [], { env: ENV, through })
  await service.end()
  expect(service.stderr()).not.toMatch(/unrecognized flag/)
  return flagsIn(service.stderr())
}

describe('the collector of a service', () => {
  test('is set to collect garbage as large as what lives', async () => {
    expect(await flagsOf([])).toEqual([FLAG])
  })

  test('is left as the command line of the engine has it, however it is spelled', async () => {
    for (const given of ['--heap-growing-percent=70', '--heap_growing_percent=70']) {
      expect(await flagsOf([given])).toEqual([])
    }
  })

  test('is left alone by a command that is no service', async () => {
    const { stderr } = await runToEnd(['serve', '--data-dir', dataFolder(), '--print-config'], ENV)
    expect(flagsIn(stderr)).toEqual([])
  })

  test('has a flag that this engine knows', () => {
    expect(execFileSync(process.execPath, [FLAG, '-p', '1'], { encoding: 'utf8' })).toBe('1\n')
  })
})
