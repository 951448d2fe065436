import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// `node tools/build.mjs` builds. With `--if-stale` it does so only when a source is newer than the last build, which
// left a stamp: every command that needs the build begins so.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(ROOT, 'dist/.built')
const PROGRAM = join(ROOT, 'dist/service/main.js')
/** What the build reads. */
const SOURCES = [
  'src',
  'workers',
  'bench',
  'docs/openapi.json',
  'package.json',
  'tsconfig.json',
  'rolldown.config.ts',
]
const NO_SOURCES = new Set(['results', 'peers', 'node_modules'])

/** When a file or anything in a folder last changed; a folder changes when a file of it is removed. */
function changedMs(path) {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  const inside = readdirSync(path).filter((name) => !NO_SOURCES.has(name))
  return Math.max(mtimeMs, ...inside.map((name) => changedMs(join(path, name))))
}

function isCurrent() {
  if (!existsSync(STAMP) || !existsSync(PROGRAM)) return false
  const builtMs = statSync(STAMP).mtimeMs
  return SOURCES.every((source) => changedMs(join(ROOT, source)) <= builtMs)
}

/** The program of a package; null when the package is not installed. */
function programOf(name, path) {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
  } catch {
    return null
  }
}

function run(program, args, stdout) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    stdio: ['ignore', stdout, 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

function build() {
  const compiler = programOf('typescript-native', 'bin/tsc')
  const bundler = programOf('rolldown', 'bin/cli.mjs')
  const pageBundler = programOf('vite', 'bin/vite.js')
  if (compiler === null || bundler === null || pageBundler === null) {
    if (existsSync(PROGRAM)) {
      process.stderr.write(
        'memgov: sources have changed since the build, and there is no compiler here: the build is used as it is. npm ci && npm run build makes it anew.\n',
      )
      return
    }
    process.stderr.write(
      'memgov is not built, and there is no compiler here. Run npm ci && npm run build first; npm ci --omit=dev may follow.\n',
    )
    process.exit(1)
  }
  // What changes while it builds is newer than the build.
  const startedAt = new Date()
  process.stderr.write('memgov: building, some 10 seconds\n')
  // Who checks the types beside it needs only what they compile to.
  const isUnchecked = process.argv.includes('--unchecked')
  run(compiler, ['-p', 'tsconfig.json', ...(isUnchecked ? ['--noCheck'] : [])], 'inherit')
  // It lists every file that it writes.
  run(bundler, ['-c'], 'ignore')
  // npm sets this bit when it links the command; the file that the bundler makes anew has lost it.
  chmodSync(PROGRAM, 0o755)
  // The page of the console, into the folder that was just made anew.
  run(pageBundler, ['build', '--config', 'src/edges/console/vite.config.ts'], 'ignore')
  writeFileSync(STAMP, '')
  utimesSync(STAMP, startedAt, startedAt)
}

if (!process.argv.includes('--if-stale') || !isCurrent()) build()
