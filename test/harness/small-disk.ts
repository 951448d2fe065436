import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A file system of its own in memory, as small as a test wants it. */
export interface SmallDisk {
  readonly dir: string
  /** Mounted again with other options, such as `ro`. What is on it stays. */
  remount(options: string): void
  unmount(): void
}

const mounted = new Set<SmallDisk>()

/** Options as `mount -o` takes them: `size=8m`, `nr_inodes=20`. @throws when this user may not mount */
export function mountSmallDisk(options: string): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'memgov-disk-'))
  mount(['-t', 'tmpfs', '-o', options, 'tmpfs', dir])
  const disk: SmallDisk = {
    dir,
    remount: (others) => mount(['-o', `remount,${others}`, dir]),
    unmount() {
      mounted.delete(disk)
      // Lazy: what a test has left open goes with its process.
      spawnSync('umount', ['-l', dir])
      rmSync(dir, { recursive: true, force: true })
    },
  }
  mounted.add(disk)
  return disk
}

/** Why small disks cannot be had here; null when they can. A suite that is skipped says so. */
export function whyNoSmallDisk(suite: string): string | null {
  try {
    mountSmallDisk('size=64k').unmount()
    return null
  } catch (error) {
    const why = `${suite} is skipped: ${error instanceof Error ? error.message : String(error)}`
    process.stderr.write(`${why}\n`)
    return why
  }
}

/** For `afterAll`. */
export function unmountSmallDisks(): void {
  for (const disk of mounted) disk.unmount()
}

function mount(argv: readonly string[]): void {
  const { status, stderr, error } = spawnSync('mount', argv, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount failed: ${error?.message ?? stderr.trim()}`)
}
