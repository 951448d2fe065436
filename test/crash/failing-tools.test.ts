import { expect, test } from 'vitest'
import { clearPruned, putPruned, readPruned } from '../../src/adapters/erasure/marks.ts'
import { ShortWriteError } from '../../src/adapters/files/whole-file.ts'
import { exportStore } from '../../src/app/archive/export-store.ts'
import { importArchive } from '../../src/app/archive/import-archive.ts'
import { planRepair } from '../../src/app/store/plan-repair.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { removeActors } from '../../src/app/store/remove-actors.ts'
import { runRepair } from '../../src/app/store/run-repair.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { messageOf } from '../../src/core/base/errors.ts'
import type { Files } from '../../src/ports/files.ts'
import { execute } from '../harness/reply.ts'
import { stride } from '../harness/scale.ts'
import { countingEntropy, manualClock, START_MS } from '../harness/system.ts'
import { CALLS_THAT_FAIL, type FaultKind } from './disk-faults.ts'
import { DIR, silentLog } from './journal-life.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { startSimulated } from './simulated-service.ts'

// Every call of the commands that write fails once: the command says so, and a repeat does the whole of it.

const KINDS: readonly FaultKind[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'EIO', 'short']
const ARCHIVE = '/out/store.archive'
const NEW_DIR = '/new'
const DEEP = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: START_MS }
const clock = manualClock()

/** A store with two actors, both in snapshots and in the journal; an archive of it; and an empty folder. */
async function madeStore(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  const { files } = disk.start()
  for (const folder of ['/out', NEW_DIR]) await files.mkdir(folder)
  const entropy = countingEntropy()
  for (let life = 0; life < 2; life += 1) {
    const { runtime } = await startSimulated(disk.start(), { clock, entropy, fault: {} })
    for (const scope of ['one', 'two']) {
      const place = { tenant_id: 'tools', scope }
      for (let fact = 0; fact < 4; fact += 1) {
        const text = `Fact ${life}.${fact} lies on the shelf. ${'and so on '.repeat(150)}`
        await execute(runtime, 'observe', { ...place, memory: { client_id: `${life}.${fact}`, text } })
      }
      await execute(runtime, 'guide', {
        ...place,
        query_text: 'what lies on the shelf',
        run_id: `run-${life}`,
      })
    }
    await runtime.close()
  }
  await exported(files)
  return disk
}

async function exported(files: Files): Promise<void> {
  if ((await files.stat(ARCHIVE)) !== null) return
  await exportStore(await readStore(DIR, { files }), {
    out: ARCHIVE,
    tenantId: null,
    scope: null,
    isSkippingDamaged: false,
    nowMs: START_MS,
    packageVersion: 'simulated',
  })
}

interface Tool {
  /** What has to be before it is used. */
  readonly prepare?: (disk: SimulatedDisk) => void
  /** As the command does it, also when it was cut off before. */
  readonly run: (files: Files) => Promise<void>
  readonly check: (files: Files, disk: SimulatedDisk, base: SimulatedDisk) => Promise<void>
}

const TOOLS: Readonly<Record<string, Tool>> = {
  export: {
    prepare: (disk) => disk.remove(ARCHIVE),
    run: exported,
    check: async (_files, disk, base) => {
      expect(Buffer.compare(disk.contentOf(ARCHIVE), base.contentOf(ARCHIVE))).toBe(0)
    },
  },
  import: {
    run: async (files) => {
      await importArchive(NEW_DIR, ARCHIVE, { files, clock, log: silentLog })
    },
    check: async (files) => {
      const { problems, store } = await verifyStore(NEW_DIR, { ...DEEP, files })
      expect(problems).toEqual([])
      expect([...store.actors.keys()]).toEqual(['tools/one', 'tools/two'])
    },
  },
  prune: {
    run: async (files) => {
      await putPruned(files, DIR, ['tools/one'])
      await removeActors(files, DIR, await readPruned(files, DIR))
      await clearPruned(files, DIR)
    },
    check: async (files, disk) => {
      expect([...(await readPruned(files, DIR))]).toEqual([])
      expect(disk.paths().filter((path) => path.includes('tools%2Fone'))).toEqual([])
      expect(disk.paths().filter((path) => path.includes('tools%2Ftwo'))).not.toEqual([])
    },
  },
  repair: {
    prepare: (disk) => {
      const newest = disk.paths().findLast((path) => path.includes('/snap/')) ?? ''
      disk.contentOf(newest).fill(0x55, 200, 220)
    },
    run: async (files) => {
      // What it sets aside is named by the time.
      clock.advance(1)
      const verification = await verifyStore(DIR, { ...DEEP, files })
      const plan = await planRepair(verification, DEEP)
      // The command refuses to go on then.
      const [blocker] = plan.blockers
      if (blocker !== undefined) throw new Error(`cannot be read: ${blocker.what}`)
      await runRepair(verification.store, plan, { clock, onDone: () => undefined })
    },
    check: async (files) => {
      expect((await verifyStore(DIR, { ...DEEP, files })).problems).toEqual([])
    },
  },
}

const whole = madeStore()

test.each(Object.entries(TOOLS))(
  '%s, whichever call fails: it says so, leaves nothing open, and a repeat does all of it',
  async (_name, { prepare, run, check }) => {
    const base = (await whole).copy()
    const before = base.copy()
    prepare?.(before)
    const probe = before.copy().start()
    await run(probe.files)
    let refused = 0
    for (const [at, { name, path }] of probe.calls.entries()) {
      for (const [place, kind] of KINDS.entries()) {
        if (CALLS_THAT_FAIL[kind]?.has(name) === false || (at + place) % stride(4) !== 0) continue
        const disk = before.copy()
        const failing = disk.start({ failAt: { call: at + 1, kind } })
        const error = await run(failing.files).then(
          () => null,
          (thrown: unknown) => thrown,
        )
        const what = `${kind} in call ${at + 1}, ${name} of ${path}`
        if (error !== null) {
          refused += 1
          expect(
            error instanceof ShortWriteError || messageOf(error).includes('simulated'),
            `${what}: ${messageOf(error)}`,
          ).toBe(true)
        }
        expect(failing.openPaths(), what).toEqual([])
        failing.kill()
        const next = disk.start()
        await run(next.files)
        await check(next.files, disk, base)
        expect(
          disk.paths().filter((left) => /\.(?:tmp|part)$/.test(left)),
          what,
        ).toEqual([])
      }
    }
    expect(refused).toBeGreaterThan(0)
  },
  300_000,
)
