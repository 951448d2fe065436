import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Where a worker's built script lies. A worker thread of Node cannot load TypeScript, so it always comes from
 * `dist/workers/` of the package, which is found by its own name: from sources, build and bundle alike.
 */
export function workerUrl(name: string): URL {
  const manifest = createRequire(import.meta.url).resolve('memgov/package.json')
  return new URL(`dist/workers/${name}.js`, pathToFileURL(manifest))
}
