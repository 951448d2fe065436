import { spawnSync } from 'node:child_process'
import process from 'node:process'

/** Why no process can be started in a network of its own; null when one can. A test that is skipped says so. */
export function whyNoNetworkNamespace(suite: string): string | null {
  const { status, error, stderr } = spawnSync('unshare', ['--net', '--', 'true'], { encoding: 'utf8' })
  if (status === 0) return null
  const why = `${suite} is skipped: unshare --net: ${error?.message ?? stderr.trim()}`
  process.stderr.write(`${why}\n`)
  return why
}
