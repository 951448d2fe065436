import { execFile } from 'node:child_process'
import process from 'node:process'
import { packageVersion } from '../../adapters/files/package-file.ts'
import {
  type Address,
  type Answer,
  ClientError,
  getJson,
  numberOf,
  postJson,
  rowsOf,
  textOf,
} from '../../edges/cli/reader.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { HOOK_OUTCOMES } from '../../ports/telemetry.ts'
import type { Terminal } from './offline.ts'

/** One thing that was looked at. */
interface Finding {
  readonly is: 'well' | 'told' | 'wrong'
  readonly sentence: string
}

const well = (sentence: string): Finding => ({ is: 'well', sentence })
const told = (sentence: string): Finding => ({ is: 'told', sentence })
const wrong = (sentence: string): Finding => ({ is: 'wrong', sentence })

const SIGNS = { well: 'ok', told: '--', wrong: '!!' } as const

/**
 * `memgov doctor`: sends a probe, and tells what answers, which hooks have fired, and whether a key lies in a tracked file.
 * Nothing is written anywhere. The exit code: 0 all is well, 1 something is wrong.
 */
export async function doctorCommand(
  address: Address,
  { stdout }: Terminal,
  cwd: string = process.cwd(),
): Promise<number> {
  const findings = [...(await serviceFindings(address)), await trackedKeys(cwd)]
  stdout.write(findings.map(({ is, sentence }) => `${SIGNS[is]}  ${visible(sentence)}\n`).join(''))
  return findings.some(({ is }) => is === 'wrong') ? 1 : 0
}

async function serviceFindings(address: Address): Promise<readonly Finding[]> {
  try {
    const { isOk, body } = await getJson(address, '/health', {})
    if (!isOk) return [wrong(textOf(body, 'message') ?? 'The service is not well.')]
    const version = textOf(body, 'version') ?? 'of unknown version'
    const isSame = version === packageVersion()
    const answers = well(
      `A service answers: memgov ${version}${isSame ? '' : `, this command is ${packageVersion()}`}.`,
    )
    const key = await keyFinding(address)
    return key.is === 'wrong' ? [answers, key] : [answers, key, ...(await waysIn(address))]
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return [wrong(error.message)]
  }
}

/** Names no memory: what is asked is whether somebody may ask. */
const PROBE = { uri: 'svc://default/default/memory/doctor' }

async function keyFinding(address: Address): Promise<Finding> {
  const { body } = await postJson(address, '/v1/memory/resolve', PROBE)
  if (textOf(body, 'error') !== 'unauthorized') {
    return well(
      address.key === null ? 'It asks for no key.' : 'It takes the key of MEMGOV_KEY, or asks for none.',
    )
  }
  return wrong(
    address.key === null
      ? 'It asks for a key, and MEMGOV_KEY is not set: memgov keys create makes one.'
      : 'It does not take the key of MEMGOV_KEY: it is unknown, expired or revoked.',
  )
}

async function waysIn(address: Address): Promise<readonly Finding[]> {
  const [mcp, hooks] = await Promise.all([
    codeOf(getJson(address, '/mcp', {})),
    getJson(address, '/hooks', {}),
  ])
  return [
    mcp === 'not_found' ? told('It has no /mcp.') : well('It serves MCP at /mcp.'),
    hooks.isOk
      ? firedHooks(hooks.body, address.key !== null)
      : told('It does not tell which hooks have fired.'),
  ]
}

/** The code of a refusal; null: there was none that is one of memgov. */
async function codeOf(asked: Promise<{ readonly body: Answer }>): Promise<string | null> {
  const reply = await asked.catch((error: unknown) => {
    if (error instanceof ClientError) return null
    throw error
  })
  return reply === null ? null : textOf(reply.body, 'error')
}

/** What the service has counted since its start. */
function firedHooks(body: Answer, hasKey: boolean): Finding {
  const since = `since its start${hasKey ? ', with this key' : ''}`
  const rows = rowsOf(body, 'hooks').map((row) => {
    const ended = HOOK_OUTCOMES.filter((outcome) => numberOf(row, outcome) > 0)
    const counts = ended.map((outcome) => `${outcome} ${numberOf(row, outcome)}`)
    return [`${textOf(row, 'host')} ${counts.join(', ')}`, textOf(row, 'last_at')].join(', last ')
  })
  return rows.length === 0
    ? told(
        `It takes hooks, and none has fired ${since}: where one should have, look whether its program trusts it.`,
      )
    : well(`It takes hooks. Those fired ${since}: ${rows.join('; ')}.`)
}

/** As a key is written; a note of one in a text has no such length. */
const KEY = 'mg_[0-9a-z]{12}_[A-Za-z0-9_-]{43}'

function trackedKeys(cwd: string): Promise<Finding> {
  return new Promise((resolve) => {
    execFile('git', ['-C', cwd, 'grep', '-lIzE', KEY, '--', ':/'], (error, stdout) => {
      const paths = stdout.split('\0').filter((path) => path !== '')
      // Git ends with 1 when it finds nothing, with more when it cannot look.
      if (error === null && paths.length > 0) {
        return resolve(
          wrong(`A key lies in ${paths.join(', ')}, which git tracks: revoke it, memgov keys revoke.`),
        )
      }
      resolve(
        error?.code === 1
          ? well('No key lies in a tracked file.')
          : told('This is no repository of git: no file was looked through for a key.'),
      )
    })
  })
}
