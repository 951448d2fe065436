import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type Host, runCommand } from '../../src/app/command.ts'
import { isColourRefused, readConfig, serviceUrl } from '../../src/app/config/config.ts'
import type { ServeParts } from '../../src/app/serve.ts'
import { visible } from '../../src/edges/cli/terminal-text.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { bodyOf, freePort, listening } from '../harness/listener.ts'
import { example } from '../support/examples.ts'

const ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const TRACE = 'guide_trace:01980f1c-8a44-7d0e-8b7e-52f1a2c3d4e5'
/** The memory of the recorded example. */
const EXAMPLE_ID = '019c13ec-a5d0-7000-8000-000000000002'
const HOSTILE = '\u001b[2J\u001b]0;owned\u0007 evil\r\n\u202egnp\u2028'

/** A report as the flight recorder makes it, as far as a person is shown it. */
const REPORT = {
  guide_trace_id: TRACE,
  run_id: 'run-42',
  consumer_agent_id: 'worker-1',
  consumer_team_id: null,
  guide_at: '2026-01-31T12:00:00.000Z',
  held_out: false,
  record_source: 'runtime',
  explanation: 'recorded',
  agent_view: {
    exposed_memory_ids: [ID, 'm2', 'm3'],
    use_now_memory_ids: [ID],
    inspect_before_use_memory_ids: ['m2'],
    rehydrate_memory_ids: [],
    do_not_use_memory_ids: ['m3'],
    prompt_char_count: 406,
    recommended_posture: 'use_as_context',
    rules_by_memory_id: [
      { memory_id: ID, rule_id: 'S10', reason_codes: ['clear'] },
      { memory_id: 'm2', rule_id: 'S5', reason_codes: ['not_trusted_enough'] },
    ],
  },
  blocked_or_suppressed: [
    {
      memory_id: 'm3',
      title: `old ${HOSTILE}`,
      lifecycle_state: 'failed',
      rule_id: 'S2',
      reason_codes: ['failed'],
      reason: `the run ${HOSTILE}`,
    },
  ],
  omitted: [
    { memory_id: 'm4', agent_surface: 'use_now', rule_id: 'S10', reason_codes: ['clear'], omitted: 'budget' },
  ],
  effects: {
    outcomes: [
      {
        memory_id: ID,
        run_id: 'run-42',
        outcome: 'negative',
        used_surface: 'use_now',
        verifier_status: 'failed',
        direct: false,
        strong: true,
        at: '2026-01-31T12:05:00.000Z',
      },
    ],
    facet_changes: [
      {
        memory_id: ID,
        facet: 'standing',
        from: 'active',
        to: 'contested',
        cause: 'strong_negative',
        at: 'then',
      },
    ],
    unnamed_outcomes: [{ at: 'later', outcome: 'neutral', run_id: 'run-5', used_surface: 'use_now' }],
    later_guides: [{}, {}],
  },
  differences: [
    {
      memory_id: ID,
      change: 'moved',
      before: { position: 0, agent_surface: 'use_now', rule_id: 'S10', reason_codes: ['clear'] },
      now: { position: 1, agent_surface: 'inspect_before_use', rule_id: 'S4', reason_codes: ['contested'] },
      causes: [
        {
          kind: 'facet_changed',
          facet: 'standing',
          from: 'active',
          to: 'contested',
          cause: 'strong_negative',
          at: 'then',
        },
      ],
    },
    {
      memory_id: 'm2',
      change: 'same',
      before: {
        position: 1,
        agent_surface: 'inspect_before_use',
        rule_id: 'S5',
        reason_codes: ['not_trusted_enough'],
      },
      now: {
        position: 0,
        agent_surface: 'inspect_before_use',
        rule_id: 'S5',
        reason_codes: ['not_trusted_enough'],
      },
      causes: [],
    },
  ],
}

interface Served {
  readonly url: string
  readonly seen: { readonly path: string; readonly body: unknown }[]
}

/** A service that gives every request the same answer. */
async function serving(status: number, answer: unknown, path?: string): Promise<Served> {
  const seen: Served['seen'] = []
  const url = await listening(async (request, response) => {
    seen.push({ path: request.url ?? '', body: JSON.parse((await bodyOf(request)) || '{}') })
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }, path)
  return { url, seen }
}

const NO_PARTS: ServeParts = {
  compose: () => Promise.reject(new Error('started')),
  operations: [],
  openapi: () => ({}),
}

async function run(argv: readonly string[], isTTY = false) {
  const seen = { stdout: '', stderr: '' }
  const target = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (text: string) => {
      seen[name] += text
    },
  })
  const host: Host = {
    stdout: target('stdout'),
    stderr: target('stderr'),
    onStopSignal: () => {},
    onReaderLeft: (stop) => stop(),
    exit: () => {},
    kill: () => {},
  }
  return { code: await runCommand(argv, host, async () => NO_PARTS), ...seen }
}

describe('explain', () => {
  test('asks the flight recorder for the journal of one guide in its place', async () => {
    const { url, seen } = await serving(200, { agent_flight_recorder: REPORT })
    const { code } = await run(['explain', TRACE, '--url', `${url}/`, '--tenant', 'acme', '--scope', 'web'])
    expect(code).toBe(0)
    expect(seen).toEqual([
      {
        path: '/v1/audit/flight-recorder',
        body: { replay_source: 'journal', guide_trace_id: TRACE, tenant_id: 'acme', scope: 'web' },
      },
    ])
  })

  test('prints every line with surface, id, rule and reason, what was left out, what followed and what changed', async () => {
    const { url } = await serving(200, { agent_flight_recorder: REPORT })
    const { stdout, stderr } = await run(['explain', TRACE, '--url', url])
    expect(stderr).toBe('')
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))
    expect(lines).toEqual([
      `Guide ${TRACE}`,
      'For | worker-1',
      'Run | run-42',
      'At | 2026-01-31T12:00:00.000Z',
      'Prompt | 406 characters, posture use_as_context',
      '',
      'What the agent saw',
      `use_now | ${ID} | S10 clear`,
      'inspect_before_use | m2 | S5 not_trusted_enough',
      'do_not_use | m3',
      '',
      'What was blocked',
      `m3 | failed | S2 failed | "old ${visible(HOSTILE)}"`,
      `the run ${visible(HOSTILE)}`,
      '',
      'What was left out',
      'use_now | m4 | S10 | budget',
      '',
      'What happened after',
      `2026-01-31T12:05:00.000Z | negative | ${ID} | run run-42, used as use_now, verifier failed, strong`,
      'later | neutral | no memory named, run run-5, used as use_now',
      `then | ${ID} | standing active -> contested (strong_negative)`,
      'later guides of the same run: 2',
      '',
      'What changed since',
      `${ID} | use_now -> inspect_before_use`,
      'then facet_changed standing active -> contested (strong_negative)',
      '',
    ])
  })

  test.each([
    [{}],
    [{ agent_flight_recorder: null }],
    [{ agent_flight_recorder: { agent_view: [], omitted: 'x' } }],
  ])('an answer of another version %j is printed as far as it goes', async (answer) => {
    const { url } = await serving(200, answer)
    const { code, stdout } = await run(['explain', TRACE, '--url', url])
    expect(code).toBe(0)
    expect(stdout).toContain('No memory.')
  })
})

describe('blast-radius', () => {
  test.each([
    [[ID], { memory_id: ID }],
    [[`svc://acme/web%20shop/memory/${ID}`], { tenant_id: 'acme', scope: 'web shop', memory_id: ID }],
    [[`svc://acme/web/memory/${ID}`, '--scope', 'web'], { tenant_id: 'acme', scope: 'web', memory_id: ID }],
    [['--origin', 'document'], { origin: 'document' }],
    [['--source', 'crawler', '--scope', 'web'], { scope: 'web', source: 'crawler' }],
  ])('%j asks for %j', async (argv, body) => {
    const { url, seen } = await serving(200, example('blastRadius').response)
    expect((await run(['blast-radius', ...argv, '--url', url])).code).toBe(0)
    expect(seen).toEqual([{ path: '/v1/audit/blast-radius', body }])
  })

  test('prints who wrote it, who was shown it, how it ended and what suppressing it would change', async () => {
    const { url } = await serving(200, example('blastRadius').response)
    const { stdout } = await run(['blast-radius', ID, '--url', url])
    for (const text of [
      `Blast radius of memory_id ${EXAMPLE_ID}`,
      'Memories: 1',
      'written 2026-01-31T12:00:02.000Z by ci-agent, origin agent',
      'Derived from it: 0',
      'Guides that showed it: 1',
      `use_now  ${EXAMPLE_ID}`,
      'run-42  ended succeeded',
      `2026-01-31T12:00:05.000Z  positive  ${EXAMPLE_ID}`,
      'use_now -> do_not_use, 1 usable left',
      'not by running them again',
    ]) {
      expect(stdout).toContain(text)
    }
  })
})

test('blast-radius says of an erased memory that it is erased, not what state it had', async () => {
  const row = { memory_id: ID, lifecycle_state: 'active', trust: 'trusted', erased: true, depth: 1 }
  const { url } = await serving(200, { blast_radius: { memories: [row], derivatives: [row] } })
  const { stdout } = await run(['blast-radius', ID, '--url', url])
  expect(stdout).toContain(`${ID}  erased, trusted`)
  expect(stdout).toContain('step 1, erased,')
  expect(stdout).not.toContain('active')
})

describe('an id', () => {
  test('of a guide needs no prefix', async () => {
    const { url, seen } = await serving(200, { agent_flight_recorder: REPORT })
    const bare = TRACE.slice('guide_trace:'.length)
    expect((await run(['explain', bare, '--url', url, '--scope', 'web'])).code).toBe(0)
    expect(seen[0]?.body).toMatchObject({ guide_trace_id: TRACE, scope: 'web' })
  })

  test.each([
    [[`svc://acme/web/memory/${ID}`, '--scope', 'shop'], /names another tenant or scope/],
    [[`svc://acme/web/memory/${ID}`, '--tenant', 'other'], /names another tenant or scope/],
    [['svc://acme/web'], /no memory URI such as svc:/],
  ])('that contradicts itself is not sent: %j', async (argv, message) => {
    const { url, seen } = await serving(200, {})
    const { code, stderr } = await run(['blast-radius', ...argv, '--url', url])
    expect([code, seen]).toEqual([2, []])
    expect(stderr).toMatch(message)
  })

  test('whose scope is named or given by a URI is asked for there only', async () => {
    const unknown = { error: 'memory_not_found', message: 'No such memory.', details: {} }
    const { url, seen } = await serving(404, unknown)
    for (const argv of [[ID, '--scope', 'web'], [`svc://acme/web/memory/${ID}`], ['--source', 'crawler']]) {
      const { code, stderr } = await run(['blast-radius', ...argv, '--url', url])
      expect([code, stderr]).toEqual([1, 'memgov: No such memory.\n'])
    }
    expect(seen).toHaveLength(3)
  })
})

describe('for a person and for a pipe', () => {
  test('colour is for a terminal only, and NO_COLOR switches it off', async () => {
    const { url } = await serving(200, { agent_flight_recorder: REPORT })
    vi.stubEnv('NO_COLOR', undefined)
    const argv = ['explain', TRACE, '--url', url]
    expect((await run(argv)).stdout).not.toContain('\u001b')
    const { stdout } = await run(argv, true)
    expect(stdout.replaceAll(/\p{Cc}\[\d+m/gu, '')).toBe((await run(argv)).stdout)
    expect(stdout).toContain('\u001b[31m')
    expect([
      isColourRefused({}),
      isColourRefused({ NO_COLOR: '' }),
      isColourRefused({ NO_COLOR: '1' }),
    ]).toEqual([false, false, true])
    vi.unstubAllEnvs()
  })

  test('json prints the answer itself, so that it can be read back, and nothing that a terminal acts on', async () => {
    const { url } = await serving(200, { agent_flight_recorder: REPORT })
    const { stdout } = await run(['explain', TRACE, '--url', url, '--json'], true)
    expect(JSON.parse(stdout)).toEqual({ agent_flight_recorder: REPORT })
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  })
})

test('tail says on a terminal what it waits for, and nothing more into a pipe', async () => {
  const { url } = await serving(200, { items: [], next_cursor: null })
  const argv = ['tail', '--url', url, '--scope', 'web\u202e']
  const stderr = 'memgov tail: waiting for memory and guides of the scope web\\u{202e}; Ctrl-C ends it.\n'
  expect(await run(argv, true)).toEqual({ code: 0, stdout: '', stderr })
  expect(await run(argv)).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('what can go wrong', () => {
  test('a refusal gives its message and 1', async () => {
    const refusal = { error: 'guide_trace_not_found', message: `No such guide: ${HOSTILE}`, details: {} }
    const { url } = await serving(400, refusal)
    const { code, stdout, stderr } = await run(['explain', TRACE, '--url', url, '--scope', 'web'])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `memgov: No such guide: ${visible(HOSTILE)}\n`,
    })
  })

  test('a missing key is asked for by its variable, not by a header', async () => {
    const { url } = await serving(401, { error: 'unauthorized', message: 'Send a valid key, as x-api-key' })
    const { code, stderr } = await run(['ls', '--url', url])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^memgov: .*set MEMGOV_KEY/)])
  })

  test('nobody there is said plainly, with 1', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, stderr } = await run(['blast-radius', ID, '--url', url])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `memgov: No service answers at ${url}: start it with memgov serve.\n`,
    })
  })

  test('somebody else there is said plainly, with 1', async () => {
    const { url } = await serving(502, '<html>')
    const { code, stderr } = await run(['blast-radius', ID, '--url', url])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `memgov: What answers at ${url} is not memgov: status 502.\n`,
    })
  })

  test('a Unix socket is asked like an address', async () => {
    const folder = dataFolder()
    const path = join(folder, 's')
    const { seen } = await serving(200, example('blastRadius').response, path)
    expect((await run(['blast-radius', ID, '--socket', path])).code).toBe(0)
    expect(seen).toHaveLength(1)
    const none = await run(['blast-radius', ID, '--socket', join(folder, 'none')])
    expect(none).toMatchObject({ code: 1 })
    expect(none.stderr).toContain(`the socket ${join(folder, 'none')}: start it`)
  })

  test.each([
    [['explain'], /needs a GUIDE_TRACE_ID/],
    [['explain', 'a', 'b'], /takes one GUIDE_TRACE_ID/],
    [['explain', 'a', '--origin', 'user'], /no flag --origin/],
    [['explain', 'a', '--port', '1'], /no flag --port/],
    [['explain', 'a', '--url', 'ftp://x'], /not the URL/],
    [['explain', 'a', '--url', ''], /--url is empty/],
    [['explain', 'a', '--url', 'http://x', '--socket', '/s'], /--url or by --socket/],
    [['blast-radius'], /needs a MEMORY_ID/],
    [['blast-radius', 'a', '--source', 'b'], /takes one of/],
    [['blast-radius', '--origin', 'user', '--source', 'b'], /takes one of/],
    [['serve', '--json'], /no flag --json/],
  ])('arguments %j are not understood: one line, exit code 2', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd()).not.toContain('\n')
  })
})

test('the service is where the environment says, and serve knows the variable that names it', () => {
  expect(serviceUrl({})).toBe('http://127.0.0.1:3001')
  expect(serviceUrl({ MEMGOV_PORT: '4000' })).toBe('http://127.0.0.1:4000')
  expect(serviceUrl({ MEMGOV_HOST: '::1' })).toBe('http://[::1]:3001')
  expect(serviceUrl({ MEMGOV_PORT: '4000', MEMGOV_URL: 'http://other:1' })).toBe('http://other:1')
  expect(readConfig({}, { MEMGOV_URL: 'http://other:1' }).warnings).toEqual([])
})
