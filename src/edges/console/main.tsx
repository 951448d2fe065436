import { render } from 'preact'
import './style/tokens.css'
import './style/page.css'
import './style/parts.css'
import { Shell } from './shell.tsx'
import { listenToKeys } from './state/keys.ts'
import { openSession } from './state/session.ts'
import { isReached, returns, watchService } from './wire/exchange.ts'

const AGAIN_MS = 1000

async function start(): Promise<void> {
  try {
    await openSession()
  } catch {
    setTimeout(() => void start(), AGAIN_MS)
  }
}

const root = document.getElementById('console')
if (root !== null) render(<Shell />, root)
listenToKeys()
watchService()
// A service that started anew has forgotten who was logged in.
returns.subscribe(() => void start())
isReached.subscribe((reached) => document.documentElement.classList.toggle('is-away', !reached))
