import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Bytes after gzip: what is loaded before the first screen is seen, and everything. */
const FIRST_BYTES_MAX = 60_000
const ALL_BYTES_MAX = 110_000

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '../../../dist/service/console'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [servedFiles()],
})

/** Every file with its compressed forms beside it and the list of them all; refuses a page that has grown too large. */
function servedFiles(): Plugin {
  let folder = ''
  const sizes = new Map<string, number>()
  const first = new Set<string>()
  return {
    name: 'served-files',
    configResolved({ build }) {
      folder = build.outDir
    },
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName === 'index.html')
      const text = page?.type === 'asset' ? String(page.source) : ''
      for (const { fileName } of Object.values(bundle)) {
        if (fileName === 'index.html' || text.includes(fileName)) first.add(fileName)
      }
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
        .toSorted()
      await Promise.all(names.map(async (name) => sizes.set(name, await compress(join(folder, name)))))
      await writeFile(join(folder, 'files.json'), JSON.stringify(names))
      const sum = (of: readonly string[]) => of.reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0)
      assertWithin('the first screen of the console', sum([...first]), FIRST_BYTES_MAX)
      assertWithin('the console', sum(names), ALL_BYTES_MAX)
    },
  }
}

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** @returns bytes after gzip */
async function compress(path: string): Promise<number> {
  const bytes = await readFile(path)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const [packed, packedBetter] = await Promise.all([
    gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }),
    brotlied(bytes, { params: quality }),
  ])
  await Promise.all([writeFile(`${path}.gz`, packed), writeFile(`${path}.br`, packedBetter)])
  return packed.length
}

function assertWithin(what: string, bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new Error(`${what} has ${bytes} bytes after gzip, and may have ${bytesMax}`)
}
