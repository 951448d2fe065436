import { readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
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

/** All files after gzip and their list, the terms of what is in them; refuses a page that has grown too large. */
function servedFiles(): Plugin {
  let folder = ''
  const sizes = new Map<string, number>()
  const first = new Set<string>()
  const packages = new Set<string>()
  return {
    name: 'served-files',
    configResolved({ build }) {
      folder = build.outDir
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      for (const id of modules) packages.add(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '')
      packages.delete('')
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
        .toSorted()
      const page = await readFile(join(folder, 'index.html'), 'utf8')
      for (const name of names) if (name === 'index.html' || page.includes(name)) first.add(name)
      await Promise.all(names.map(async (name) => sizes.set(name, await compress(join(folder, name)))))
      const terms = await Promise.all([...packages].toSorted().map(licenceOf))
      await writeFile(join(folder, 'licences.txt'), terms.join('\n'))
      await writeFile(join(folder, 'files.json'), JSON.stringify(names))
      const sum = (of: readonly string[]) => of.reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0)
      assertWithin('the first screen of the console', sum([...first]), FIRST_BYTES_MAX)
      assertWithin('the console', sum(names), ALL_BYTES_MAX)
    },
  }
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${name} ${version}: ${license}\n\n${text}`
}

const gzipped = promisify(gzip)

/** Keeps a file after gzip only: the package has a bound. @returns its bytes */
async function compress(path: string): Promise<number> {
  const packed = await gzipped(await readFile(path), { level: constants.Z_BEST_COMPRESSION })
  await writeFile(`${path}.gz`, packed)
  await unlink(path)
  return packed.length
}

function assertWithin(what: string, bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new Error(`${what} has ${bytes} bytes after gzip, and may have ${bytesMax}`)
}
