import type { FastifyInstance } from 'fastify'
import { readConsoleFiles } from './console-files.ts'
import { pageRoutes, servePage } from './page.ts'

/** The operator console, as far as a service has to do with it. */
export interface Console {
  /** For the table of known paths. */
  readonly routes: readonly { readonly method: 'GET' | 'POST'; readonly path: string }[]
  serve(app: FastifyInstance): void
}

/** @param folder of the built page; it may be missing, and then the page says so */
export async function openConsole(folder: URL): Promise<Console> {
  const pages = pageRoutes(await readConsoleFiles(folder))
  return {
    routes: pages.map(({ path }) => ({ method: 'GET', path })),
    serve: (app) => servePage(app, pages),
  }
}
