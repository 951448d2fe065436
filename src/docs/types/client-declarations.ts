// The types of `memgov/client`, derived from its source. What it takes and gives is what an embedded runtime takes and gives:
// those types are in `index.d.ts` of the package, and are named here only.

import { moduleDeclarations } from './module-declarations.ts'

const SERVICE_TYPES = '../service/index.js'

/** The files of declarations by their names, over the types of the package at `types`. */
export function clientDeclarations(
  folder: URL,
  types: string = SERVICE_TYPES,
): Readonly<Record<'index.d.ts' | 'client-error.d.ts', string>> {
  const of = (name: string) => moduleDeclarations(new URL(name, folder), types, ['client-error'])
  return {
    'index.d.ts': `/// <reference lib="esnext.disposable" />\n${of('client.ts')}`,
    'client-error.d.ts': of('client-error.ts'),
  }
}

/** For callers that `require` it: the same, of the module that they are given. */
export const CLIENT_COMMONJS_DECLARATIONS = `import type * as client from './index.js' with { 'resolution-mode': 'import' }

export type * from './index.js' with { 'resolution-mode': 'import' }
export declare const createClient: typeof client.createClient
export declare const CLIENT_VERSION: typeof client.CLIENT_VERSION
export declare const MemgovError: typeof client.MemgovError
export type MemgovError = client.MemgovError
`
