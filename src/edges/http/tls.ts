import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type Server } from 'node:tls'
import { messageOf } from '../../core/base/errors.ts'
import type { Clock, Log } from '../../ports/system.ts'

/** Where certificate and key lie, PEM. */
export interface TlsPaths {
  readonly certPath: string
  readonly keyPath: string
}

export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
  /**
   * Gives new connections of the server the certificate that lies there by then; those that are open keep theirs. Files
   * that do not belong together, as between the change of one and of the other, leave what was there.
   */
  follow(server: Server): void
}

/** How often the files are looked at. */
export const LOOK_MS = 2000

interface Watching {
  readonly clock: Clock
  readonly log: Log
}

/** Certificate and key. Rejects with a sentence when they cannot be read or do not belong together; a warning tells of one out of date. */
export async function openTls(paths: TlsPaths, watching: Watching): Promise<Tls> {
  const { log } = watching
  let known = await stateOf(paths)
  const { cert, key } = await pairIn(paths)
  warnOfDates(cert, paths.certPath, watching)
  return {
    cert,
    key,
    follow(server) {
      const look = async (): Promise<void> => {
        const state = await stateOf(paths)
        if (state === known) return
        const pair = await pairIn(paths)
        server.setSecureContext(pair)
        known = state
        log.info({}, 'the certificate was read anew')
        warnOfDates(pair.cert, paths.certPath, watching)
      }
      const timer = setInterval(() => {
        look().catch((error: unknown) => {
          log.error({ cause: String(error) }, 'the certificate cannot be read: the one before goes on')
        })
      }, LOOK_MS)
      timer.unref()
      server.once('close', () => clearInterval(timer))
    },
  }
}

async function pairIn({ certPath, keyPath }: TlsPaths): Promise<Pick<Tls, 'cert' | 'key'>> {
  const cert = await bytesIn(certPath)
  const key = await bytesIn(keyPath)
  try {
    createSecureContext({ cert, key })
    // The context compares only keys of one kind, and then no handshake succeeds.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('they do not match')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${certPath} and ${keyPath} are no certificate with its key: ${why}`, { cause })
  }
  return { cert, key }
}

/** The service works with it; clients that look at it do not. */
function warnOfDates(cert: Buffer, file: string, { clock, log }: Watching): void {
  const { validFrom, validTo } = new X509Certificate(cert)
  const nowMs = clock.nowMs()
  const isEarly = nowMs < Date.parse(validFrom)
  if (!isEarly && nowMs <= Date.parse(validTo)) return
  const what = isEarly ? 'is not valid yet' : 'has expired'
  log.warn({ file, from: validFrom, until: validTo }, `the certificate ${what}: clients refuse it`)
}

async function bytesIn(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    // Of a folder the system does not say which one.
    throw new Error(`${path} cannot be read: ${messageOf(cause)}`, { cause })
  })
}

async function stateOf({ certPath, keyPath }: TlsPaths): Promise<string> {
  const found = await Promise.all([certPath, keyPath].map((path) => stat(path)))
  return found.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join(' ')
}
