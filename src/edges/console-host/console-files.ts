import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

export const INDEX = 'index.html'
const NAME = /^(?:index\.html|assets\/[\w-][\w.-]{0,120}\.(?:js|css))$/
const Names = z.array(z.string().regex(NAME)).max(64)

/** The build keeps a file in this form only: every browser takes it, from any place. */
const ENCODING = 'gzip'
const END = '.gz'

/** One file of the page, as it leaves. */
export interface ConsoleFile {
  /** `assets/index-3f2a.js` */
  readonly name: string
  readonly type: string
  /** After gzip. */
  readonly packed: Buffer
}

/** Every file of the built page. Null: it is not built. Rejects when the list names what is not there. */
export async function readConsoleFiles(folder: URL): Promise<readonly ConsoleFile[] | null> {
  const list = await contentOf(new URL('files.json', folder))
  if (list === null) return null
  const names = Names.parse(JSON.parse(list.toString('utf8')))
  return Promise.all(names.map((name) => readConsoleFile(folder, name)))
}

async function readConsoleFile(folder: URL, name: string): Promise<ConsoleFile> {
  const packed = await readFile(new URL(`${name}${END}`, folder))
  return { name, type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream', packed }
}

const unpacked = promisify(gunzip)

/** What of a file is sent to a client that takes these encodings; few take none. */
export async function chosenOf(
  { packed }: ConsoleFile,
  accepted: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly encoding: typeof ENCODING | null }> {
  if (acceptedWords(accepted).has(ENCODING)) return { bytes: packed, encoding: ENCODING }
  return { bytes: await unpacked(packed), encoding: null }
}

const REFUSED = /;\s*q=0(?:\.0*)?\s*$/i

function acceptedWords(header = ''): ReadonlySet<string> {
  const parts = header.split(',').filter((part) => !REFUSED.test(part))
  return new Set(parts.map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
}

/** Null: there is no such file. */
async function contentOf(url: URL): Promise<Buffer | null> {
  try {
    return await readFile(url)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
