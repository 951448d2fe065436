import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { watch } from 'rolldown'
import { loadConfig } from 'rolldown/config'

// `npm run dev -- --port 4000`: bundles at every change of a source and starts the service anew with it. Types are not
// checked: an editor does that, and `npm run check:types`.

const ROOT = new URL('..', import.meta.url)
const MAIN = fileURLToPath(new URL('dist/service/main.js', ROOT))
const given = process.argv.slice(2)

let service = null
/** Whoever ended: the bundler after a change, or a person. */
let isEnding = false

function start() {
  service = spawn(process.execPath, ['--enable-source-maps', MAIN, 'serve', ...given], { stdio: 'inherit' })
}

async function stop() {
  const running = service
  service = null
  if (running === null || running.exitCode !== null) return
  await new Promise((resolve) => {
    running.once('exit', resolve)
    running.kill('SIGTERM')
  })
}

process.chdir(fileURLToPath(ROOT))
const config = await loadConfig('rolldown.config.ts')
const watcher = watch(config)
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`)
  if (event.code === 'BUNDLE_END') {
    await stop()
    if (!isEnding) start()
  }
  if ('result' in event) await event.result?.close()
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    isEnding = true
    await stop()
    await watcher.close()
    process.exit(0)
  })
}
