import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the requests of the corpus were answered, a line for each. Found by the package's name, also from the build. */
export const GOLDEN = join(
  dirname(createRequire(import.meta.url).resolve('memgov/package.json')),
  'test/corpus/expected.txt',
)

const HEADING = '# '

/** The lines of one world. */
export function expectedLines(golden: string, world: string): readonly string[] {
  const [, after] = `\n${golden}`.split(`\n${HEADING}${world}\n`)
  return after?.split(`\n${HEADING}`)[0]?.trimEnd().split('\n') ?? []
}

export function expectedText(
  worlds: readonly { readonly name: string; readonly lines: readonly string[] }[],
): string {
  return worlds.map(({ name, lines }) => `${HEADING}${name}\n${lines.join('\n')}\n`).join('')
}
