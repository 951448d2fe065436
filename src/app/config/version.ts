import { createRequire } from 'node:module'

/** The version in package.json, found by the package's own name from sources and from the build alike. */
export function packageVersion(): string {
  const found: unknown = createRequire(import.meta.url)('memgov/package.json')
  const isManifest = typeof found === 'object' && found !== null && 'version' in found
  return isManifest ? String(found.version) : 'unknown'
}
