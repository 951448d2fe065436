import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Where a file of the package lies, from sources, build and bundle alike: the package is found by its own name. */
export function packageFile(path: string): URL {
  return new URL(path, pathToFileURL(createRequire(import.meta.url).resolve('memgov/package.json')))
}

/** A worker's built script: a worker thread of Node cannot load TypeScript. */
export function workerUrl(name: string): URL {
  return packageFile(`dist/workers/${name}.js`)
}
