import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What a module of dist sends when it is started with these arguments. Rejects when it ends without a word. */
export async function askApart<Answer>(
  file: string,
  args: readonly (string | number)[],
  execArgv: readonly string[] = [],
): Promise<Answer> {
  const child = fork(file, args.map(String), { execArgv: [...execArgv] })
  const gone = once(child, 'exit')
  const failed = gone.then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)}`)))
  const [answer] = await Promise.race([once(child, 'message'), failed])
  await gone
  return answer
}
