import { runCommand } from '../../src/app/command.ts'
import { compose } from '../../src/app/compose.ts'

/** `memgov` inside this process, without a terminal and without the edge of a service. */
export async function memgov(...argv: readonly string[]) {
  const seen = { stdout: '', stderr: '' }
  const code = await runCommand(
    argv,
    {
      stdout: { write: (text) => (seen.stdout += text) },
      stderr: { write: (text) => (seen.stderr += text) },
      onStopSignal: () => undefined,
      exit: () => undefined,
      kill: () => undefined,
    },
    async () => ({ compose, operations: [], openapi: () => ({}) }),
  )
  return { code, ...seen }
}
