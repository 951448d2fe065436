import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import type { Keys } from '../../ports/keys.ts'
import type { PageSessions } from '../http/identity.ts'
import { pageRoutes, readConsoleFiles, servePage } from './page.ts'
import { SESSION_ROUTES, serveSession } from './session-routes.ts'
import { Sessions } from './sessions.ts'

/** The operator console, as far as a service has to do with it. */
export interface Console {
  /** For the table of known paths. */
  readonly routes: readonly { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string }[]
  /** Null: nobody logs in. */
  readonly sessions: PageSessions | null
  serve(app: FastifyInstance): void
}

interface ConsoleParts {
  /** Of the built page; it may be missing, and then the page says so. */
  readonly folder: URL
  /** Null: the store is in memory, and has none. */
  readonly keys: Keys | null
  /** True: browsers ask over TLS. */
  readonly isSecure: boolean
  readonly clock: Clock
}

export async function openConsole({ folder, keys, isSecure, clock }: ConsoleParts): Promise<Console> {
  const pages = pageRoutes(await readConsoleFiles(folder))
  const sessions = keys === null ? null : new Sessions(keys, isSecure)
  return {
    routes: [...pages.map(({ path }) => ({ method: 'GET', path }) as const), ...SESSION_ROUTES],
    sessions,
    serve(app) {
      servePage(app, pages)
      serveSession(app, { keys, sessions, clock })
    },
  }
}
