import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import process from 'node:process'

// `memgov hook HOST [EVENT]`: hands what a host writes to a running service, and prints what that answers. It imports nothing
// of the program, so that it starts at once. Whatever happens it prints JSON and exits with 0: a hook that fails would stop
// the agent.

/** From the start of the process. Hosts wait longer, but who types waits with them. */
const DEADLINE_MS = 2_000
const BODY_BYTES_MAX = 4 * 1024 * 1024
const NOTHING = '{}'
const HOST_NAME = /^[a-z][a-z-]{0,31}$/
const HOSTS = 'claude-code, codex, cursor, gemini, copilot'
const FLAGS = ['url', 'socket', 'key-file', 'tenant', 'scope', 'agent']
/** What the service is told beside the payload. */
const HEADERS: Readonly<Record<string, string>> = {
  tenant: 'x-memgov-tenant',
  scope: 'x-memgov-scope',
  agent: 'x-memgov-agent',
}
const PRINTABLE = /^[\x20-\x7e]+$/

type Flags = Readonly<Record<string, string>>

/** @param args behind `memgov hook` */
export async function runHook(args: readonly string[]): Promise<void> {
  const leftMs = Math.max(1, DEADLINE_MS - process.uptime() * 1000)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(NOTHING), leftMs)
  })
  const text = await Promise.race([answered(args).catch(told), late])
  clearTimeout(timer)
  process.stdout.on('error', () => process.exit(0))
  process.stdout.write(`${text}\n`, () => process.exit(0))
}

/** To the one who looks for the reason: hosts show it in their logs. */
function told(error: unknown): string {
  process.stderr.on('error', () => {})
  process.stderr.write(`memgov hook: ${error instanceof Error ? error.message : String(error)}\n`)
  return NOTHING
}

async function answered(args: readonly string[]): Promise<string> {
  const { words, flags } = parsed(args)
  const [host = '', event] = words
  if (!HOST_NAME.test(host)) throw new Error('name the host: memgov hook codex')
  const payload = await bytesOf(process.stdin)
  refuseNoJson(payload)
  const query = event === undefined ? '' : `?event=${encodeURIComponent(event)}`
  const { status, text } = await post(flags, `/hooks/${host}${query}`, payload)
  if (status === 404) throw new Error(`the service knows no host ${host}: it knows ${HOSTS}`)
  if (status !== 200) throw new Error(`the service answered ${status}: ${messageIn(text)}`)
  return JSON.stringify(JSON.parse(text))
}

/** The service answers such a payload with nothing, as it must, and the host would show nobody why. */
function refuseNoJson(payload: Buffer): void {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    throw new Error('what came in is not JSON in UTF-8: send the payload of the host as it is')
  }
}

function parsed(args: readonly string[]): { readonly words: readonly string[]; readonly flags: Flags } {
  const words: string[] = []
  const flags: Record<string, string> = {}
  for (let at = 0; at < args.length; at += 1) {
    const [, name = '', value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? []
    if (name === '') words.push(args[at] ?? '')
    else if (!FLAGS.includes(name)) throw new Error(`--${name} is none of its flags: --${FLAGS.join(', --')}`)
    else {
      if (value === undefined) at += 1
      flags[name] = value ?? args[at] ?? ''
    }
  }
  return { words, flags }
}

async function post(flags: Flags, path: string, body: Buffer): Promise<{ status: number; text: string }> {
  const options = optionsOf(flags, path, body.length)
  const request =
    options.protocol === 'https:' ? (await import('node:https')).request(options) : httpRequest(options)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', (error) => reject(new Error(`no service answers (${error.message})`)))
    request.end(body)
  })
  return { status: response.statusCode ?? 0, text: (await bytesOf(response)).toString('utf8') }
}

function optionsOf(flags: Flags, path: string, bytes: number): RequestOptions {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(bytes),
  }
  const keyFile = flags['key-file']
  const key = (keyFile === undefined ? environment('MEMGOV_KEY') : textIn(keyFile)).trim()
  if (key !== '' && !PRINTABLE.test(key)) throw new Error('the key is not one line of printable ASCII')
  if (key !== '') headers['authorization'] = `Bearer ${key}`
  for (const [flag, header] of Object.entries(HEADERS)) {
    const value = flags[flag]
    if (value === undefined) continue
    // The service would answer it with nothing, and say why nowhere.
    if (!PRINTABLE.test(value))
      throw new Error(`--${flag} takes printable ASCII: for another name, use its key`)
    headers[header] = value
  }
  const { socket } = flags
  if (socket !== undefined) return { method: 'POST', headers, socketPath: socket, path }
  const url = flags['url'] ?? addressInEnvironment()
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new Error('that is not the URL of a service: send one such as http://127.0.0.1:3001')
  const { protocol, hostname, port, pathname } = new URL(url)
  return {
    method: 'POST',
    headers,
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port }),
    path: `${pathname.replace(/\/$/, '')}${path}`,
  }
}

function textIn(keyFile: string): string {
  try {
    return readFileSync(keyFile, 'utf8')
  } catch (error) {
    // Of a folder the system does not say which one.
    throw new Error(`the key cannot be read from ${keyFile}: ${error instanceof Error ? error.message : ''}`)
  }
}

function addressInEnvironment(): string {
  const url = environment('MEMGOV_URL')
  if (url !== '') return url
  const host = environment('MEMGOV_HOST') || '127.0.0.1'
  return `http://${host.includes(':') ? `[${host}]` : host}:${environment('MEMGOV_PORT') || '3001'}`
}

function environment(name: string): string {
  return process.env[name] ?? ''
}

async function bytesOf(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > BODY_BYTES_MAX) throw new Error('that is too large')
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}

/** Of a refusal. */
function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message)
  } catch {
    // Something else answers there.
  }
  return 'no answer of memgov'
}
