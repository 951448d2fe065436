import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** How a file may be packed on its way, best first: the word of the header, and the end of the packed file's name. */
const ENCODINGS = [
  { word: 'br', end: '.br' },
  { word: 'gzip', end: '.gz' },
] as const
type Encoding = (typeof ENCODINGS)[number]['word']

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

export const INDEX = 'index.html'
const NAME = /^(?:index\.html|assets\/[\w-][\w.-]{0,120}\.(?:js|css))$/
const Names = z.array(z.string().regex(NAME)).max(64)

/** One file of the page, as it leaves. */
export interface ConsoleFile {
  /** `assets/index-3f2a.js` */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  readonly packed: ReadonlyMap<Encoding, Buffer>
}

/** Every file of the built page. Null: it is not built. Rejects when the list names what is not there. */
export async function readConsoleFiles(folder: URL): Promise<readonly ConsoleFile[] | null> {
  const list = await contentOf(new URL('files.json', folder))
  if (list === null) return null
  const names = Names.parse(JSON.parse(list.toString('utf8')))
  return Promise.all(names.map((name) => readConsoleFile(folder, name)))
}

async function readConsoleFile(folder: URL, name: string): Promise<ConsoleFile> {
  const bytes = await readFile(new URL(name, folder))
  const packed = new Map<Encoding, Buffer>()
  for (const { word, end } of ENCODINGS) {
    const content = await contentOf(new URL(`${name}${end}`, folder))
    if (content !== null) packed.set(word, content)
  }
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { name, type, bytes, packed }
}

/** What of a file is sent to a client that takes these encodings. */
export function chosenOf(
  { bytes, packed }: ConsoleFile,
  accepted: string | undefined,
): { readonly bytes: Buffer; readonly encoding: Encoding | null } {
  const words = acceptedWords(accepted)
  for (const { word } of ENCODINGS) {
    const content = packed.get(word)
    if (content !== undefined && words.has(word)) return { bytes: content, encoding: word }
  }
  return { bytes, encoding: null }
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
