import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { listening } from '../harness/listener.ts'

const COMMAND = fileURLToPath(new URL('../../dist/bench/replay.js', import.meta.url))
const RECORDING = fileURLToPath(new URL('../fixtures/agent-runs.json', import.meta.url))

let folder = ''

beforeEach(() => {
  folder = dataFolder()
})

/** Its temporary folder is ours, so that what it leaves behind is seen. */
function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, TMPDIR: folder } })
}

async function finished(child: ChildProcess) {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = await once(child, 'close')
  return { code: Number(code), stdout, stderr }
}

async function written(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** Processes whose command line names the folder of this test. */
async function processesOfTest(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

describe('replay', () => {
  test('the small recording meets every expectation, prints only the table and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await finished(start(RECORDING))
    expect(stderr).toBe('')
    expect(stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      expect.stringContaining('seen | expected'),
      'guides | 4',
      'failed runs in use_now | 0 | 0',
      'failed runs in do_not_use | 4 of 4 | all',
      'succeeded runs in use_now | 4 of 4 | all',
      "other tasks' runs in use_now | 0 | 0",
      expect.stringMatching(/^observe p50 \/ p99 \| [\d.]+ \/ [\d.]+ ms \(8\)$/),
      expect.stringMatching(/^guide p50 \/ p99 \| [\d.]+ \/ [\d.]+ ms \(4\)$/),
      '',
    ])
    expect(code).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  test('a service that shows nothing breaks an expectation for every run, and the report as JSON says so', async () => {
    let written = 0
    const url = await listening((request, response) => {
      request.resume()
      written += 1
      const context = { use_now_memory_ids: [], do_not_use_memory_ids: [] }
      response.end(JSON.stringify({ memory_ids: [`memory-${written}`], agent_context: context }))
    })
    const { code, stdout } = await finished(start(RECORDING, '--url', url, '--json'))
    const report: unknown = JSON.parse(stdout)
    expect(report).toMatchObject({
      bench: 'replay',
      file: RECORDING,
      isAsExpected: false,
      tally: {
        guides: 4,
        failedInUseNow: 0,
        failedInDoNotUse: { count: 0, of: 4 },
        succeededInUseNow: { count: 0, of: 4 },
        foreignInUseNow: 0,
      },
      observeMs: { count: 8 },
      guideMs: { count: 4 },
    })
    expect(report).toHaveProperty('tally.broken.length', 8)
    expect(report).toHaveProperty(
      ['tally', 'broken', 0],
      'Guide of task 0: trial 0 of task 0, which failed, is not in do_not_use.',
    )
    expect(code).toBe(1)
  })

  test('a service that offers every run for use is found out', async () => {
    const ids: string[] = []
    const url = await listening((request, response) => {
      request.resume()
      if (request.url === '/v1/observe') ids.push(`memory-${ids.length}`)
      const context = { use_now_memory_ids: ids, do_not_use_memory_ids: [] }
      response.end(JSON.stringify({ memory_ids: [ids.at(-1)], agent_context: context }))
    })
    const { code, stdout } = await finished(start(RECORDING, '--url', url))
    expect(stdout).toMatch(/failed runs in use_now +16 /)
    expect(stdout).toMatch(/failed runs in do_not_use +0 of 4 /)
    expect(stdout).toMatch(/succeeded runs in use_now +4 of 4 /)
    expect(stdout).toMatch(/other tasks' runs in use_now +24 /)
    expect(stdout).toContain('Guide of task 0: trial 0 of task 0, which failed, is in use_now.')
    expect(code).toBe(1)
  })

  test('a service that refuses ends the replay with 1 and its own words', async () => {
    const url = await listening((request, response) => {
      request.resume()
      response.writeHead(503).end('{"error":"overloaded"}')
    })
    const { code, stderr } = await finished(start(RECORDING, '--url', url))
    expect(stderr).toBe('replay: /v1/observe was answered 503: {"error":"overloaded"}\n')
    expect(code).toBe(1)
  })

  test.each([
    ['cut.json', '[{"task_id": 1', 'is not JSON'],
    ['object.json', '{"runs": []}', 'is not a recording'],
    ['reward.json', '[{"task_id": 1, "trial": 0, "reward": 0.5, "traj": []}]', 'run 0.reward'],
    ['empty.json', '[]', 'has no trial 2 of any task'],
    [
      'twice.json',
      '[{"task_id": 1, "trial": 2, "reward": 1, "traj": []}, {"task_id": 1, "trial": 2, "reward": 1, "traj": []}]',
      'has trial 2 of task 1 twice',
    ],
  ])('the file %s is refused with 2 and a sentence that names it', async (name, content, reason) => {
    const path = await written(name, content)
    const { code, stdout, stderr } = await finished(start(path))
    expect(stderr).toContain(`replay: ${path}`)
    expect(stderr).toContain(reason)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test.each([
    [['/no/such/file.json'], 'there is no such file'],
    [[], 'A file is missing'],
    [[RECORDING, RECORDING], 'One file at a time'],
    [[RECORDING, '--url', 'localhost:3001'], 'is not like http://'],
    [[RECORDING, '--speed'], "Unknown option '--speed'"],
  ])('the arguments %j are refused with 2 and a sentence', async (args, reason) => {
    const { code, stderr } = await finished(start(...args))
    expect(stderr).toContain(reason)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })

  test('a signal in the middle of a request ends the replay of a foreign service with 130', async () => {
    let child: ChildProcess | null = null
    const url = await listening((request) => {
      request.resume()
      child?.kill('SIGINT')
    })
    child = start(RECORDING, '--url', url)
    const { code, stderr } = await finished(child)
    expect(stderr).toBe('replay: stopped\n')
    expect(code).toBe(130)
  })

  test.runIf(existsSync('/proc/self/cmdline'))(
    'a signal while its own service starts or works leaves neither folder nor process behind',
    async () => {
      const watcher = watch(folder)
      const child = start(RECORDING)
      void once(watcher, 'change').then(() => child.kill('SIGTERM'))
      const { code, stderr } = await finished(child)
      watcher.close()
      expect(stderr).toBe('replay: stopped\n')
      expect(code).toBe(130)
      expect(await readdir(folder)).toEqual([])
      expect(await processesOfTest()).toEqual([])
    },
  )
})
