import { readFileSync, writeFileSync } from 'node:fs'
import { packageVersion } from '../adapters/files/package-file.ts'
import { pages } from './pages.ts'
import { recordExamples } from './record-examples.ts'

// Writes the generated documents (`--write`), or exits with 1 when one of them is not what the contract says now
// (`--check`). Runs from the root of the project.

const root = new URL('../../../', import.meta.url)

function current(path: string): string | null {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return null
  }
}

const made = pages(packageVersion(), await recordExamples())
switch (process.argv[2]) {
  case '--write':
    for (const page of made) writeFileSync(new URL(page.path, root), page.text)
    break
  case '--check': {
    const stale = made.filter((page) => current(page.path) !== page.text)
    for (const page of stale) process.stderr.write(`${page.path} is not current: run npm run docs\n`)
    process.exitCode = stale.length > 0 ? 1 : 0
    break
  }
  default:
    process.stderr.write('usage: node dist/src/docs/main.js --write | --check\n')
    process.exitCode = 2
}
