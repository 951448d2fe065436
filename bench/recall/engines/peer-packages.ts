import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { EngineMissing } from './engine.ts'

// From dist/bench/recall/engines; the packages are installed apart from the project.
const FOLDER = new URL('../../../../bench/peers/', import.meta.url)
const require = createRequire(new URL('package.json', FOLDER))

export const INSTALL_PEERS = 'npm ci --prefix bench/peers'

export function arePeersInstalled(): boolean {
  return existsSync(fileURLToPath(new URL('node_modules/', FOLDER)))
}

/** A package of bench/peers; `Package` is the part of it that its adapter uses. */
export function peerPackage<Package>(name: string): Package {
  try {
    return require(name) as Package
  } catch (error) {
    throw new EngineMissing(`${name} cannot be loaded: ${firstLineOf(error)}`)
  }
}

export function firstLineOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
}
