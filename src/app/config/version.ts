import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../adapters/files/package-file.ts'

/** The version in package.json. */
export function packageVersion(): string {
  const path = fileURLToPath(packageFile('package.json'))
  const found: unknown = createRequire(path)(path)
  const isManifest = typeof found === 'object' && found !== null && 'version' in found
  return isManifest ? String(found.version) : 'unknown'
}
