import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StartError } from '../../core/base/errors.ts'

/** Where a file of the package lies, from sources, build and bundle alike: the package is found by its own name. */
export function packageFile(path: string): URL {
  return new URL(path, pathToFileURL(manifestPath()))
}

export function packageVersion(): string {
  const path = fileURLToPath(packageFile('package.json'))
  const found: unknown = createRequire(path)(path)
  const isManifest = typeof found === 'object' && found !== null && 'version' in found
  return isManifest ? String(found.version) : 'unknown'
}

/** A worker's built script: a worker thread of Node cannot load TypeScript. */
export function workerUrl(name: string): URL {
  return packageFile(`dist/service/workers/${name}.js`)
}

/** Where a package lies that this one depends on, also when a bundle holds this one's code. */
export function dependencyFile(name: string): string {
  return createRequire(manifestPath()).resolve(name)
}

/** @throws StartError when this code is a part of a bundle and the package is not installed beside it */
function manifestPath(): string {
  // A bundler that writes CommonJS leaves nothing of it.
  const here: unknown = import.meta.url
  try {
    if (typeof here === 'string') return createRequire(here).resolve('memgov/package.json')
  } catch (error) {
    throw missingPackage(here, error)
  }
  throw missingPackage(here, null)
}

function missingPackage(here: unknown, cause: unknown): StartError {
  const place = typeof here === 'string' ? ` (${here})` : ''
  return new StartError(
    'package_incomplete',
    `memgov cannot find its worker threads: its code was copied into another file${place}. Mark the package memgov as external in the bundler, and install it beside the bundle.`,
    {},
    cause,
  )
}
