import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HookHost } from '../../src/ports/telemetry.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { SEED } from '../harness/scale.ts'
import { hostileText } from '../support/guide-samples.ts'
import { HOSTS, PAYLOADS } from '../support/hook-payloads.ts'
import { mcpMessage, toolAnswer } from '../support/mcp-message.ts'
import { parsePrompt } from '../support/prompt-parser.ts'
import { provingAsync } from '../support/prove.ts'

// Whatever text comes in by whichever way, what agents are shown by every way has the headings, handles and lines that
// memgov made, and no others.

let real: Embedded
let app: FastifyInstance
let root = ''

beforeAll(async () => {
  real = await startEmbedded()
  app = edgeOver(real)
  root = join(dataFolder(), 'shop')
  mkdirSync(join(root, '.git'), { recursive: true })
})
afterAll(() => app.close())

const TASK = 'Deploy the shop'
const SIGNATURE = 'deploy-shop'
let scopes = 0

/** Sends it and gives the body; a refusal is an answer too, a fault of the service is none. */
async function sent(url: string, payload: object, headers: Readonly<Record<string, string>> = {}) {
  const { statusCode, body } = await app.inject({ method: 'POST', url, payload, headers })
  expect(statusCode, `${url} ${body}`).toBeLessThan(500)
  return body
}

const operation = (path: string, scope: string, body: object) => sent(path, { scope, ...body })

async function tool(era: 'modern' | 'legacy', scope: string, name: string, given: object) {
  const { headers, body } = mcpMessage(era, 'tools/call', { name, arguments: given })
  const answer = await sent('/mcp', body, { ...headers, 'x-memgov-scope': scope })
  return answer.includes('"result"') ? toolAnswer(answer) : { texts: [], isError: true }
}

function hook(host: HookHost, scope: string, payload: object) {
  const { eventOf } = PAYLOADS[host]
  const event = eventOf === undefined ? '' : `?event=${eventOf(payload)}`
  return sent(`/hooks/${host}${event}`, payload, { 'x-memgov-scope': scope, host: 'localhost' })
}

/** A prompt, what is done for it, and its end, with the text in every place where a host tells a name or a command. */
async function worked(host: HookHost, scope: string, text: string) {
  const { prompt, ran, failed, edited, stopped } = PAYLOADS[host]
  const payloads = [
    prompt(root, `${TASK} ${text}`, 't'),
    ran(root, text, 't'),
    ran(root, `npm ${text}`, 't'),
    failed?.(root, `npm test ${text}`, 't') ?? {},
    edited(root, join(root, text), 't'),
    edited(root, text, 't'),
    ...stopped(root, `${TASK}. ${text}`, 't'),
  ]
  for (const payload of payloads) await hook(host, scope, payload)
}

const run = (text: string) => ({
  title: text,
  summary: `${TASK} ${text}`,
  steps: [text],
  target_files: [text],
  verifier: { name: text, status: 'failed', summary: text },
})

const WRITES: Readonly<Record<string, (scope: string, text: string) => Promise<unknown>>> = {
  memory: (scope, text) =>
    operation('/v1/observe', scope, {
      input_text: `${TASK} ${text}`,
      memory: { title: text, target_files: [text], evidence_refs: [text], next_action: text, kind: 'rule' },
    }),
  nodes: (scope, text) =>
    operation('/v1/observe', scope, {
      nodes: [
        { text, client_id: text },
        { text: TASK, summary: text, raw_ref: text },
      ],
    }),
  'a failed run': (scope, text) =>
    operation('/v1/observe', scope, {
      task_signature: SIGNATURE,
      execution: { ...run(text), outcome: 'failed' },
    }),
  'a run that ended in words': (scope, text) =>
    operation('/v1/observe', scope, {
      task_signature: SIGNATURE,
      run_id: text,
      execution: { ...run(text), outcome: text },
    }),
  'a handoff': (scope, text) =>
    operation('/v1/observe', scope, {
      handoff: {
        summary: text,
        handoff_text: `${TASK} ${text}`,
        next_action: text,
        target_role: text,
        risk: text,
      },
    }),
  'a claim': (scope, text) =>
    operation('/v1/observe', scope, {
      claims: [
        {
          subject_key: 'shop',
          predicate: text,
          value: text,
          value_text: text,
          conflict_policy: 'singleton_latest',
          slot_key: text,
        },
      ],
    }),
  ...Object.fromEntries(
    (['modern', 'legacy'] as const).map((era) => [
      `tools, ${era}`,
      async (scope: string, text: string) => {
        await tool(era, scope, 'remember', { text: `${TASK} ${text}`, target_files: [text] })
        await tool(era, scope, 'record_step', {
          summary: `${TASK} ${text}`,
          outcome: 'failed',
          target_files: [text],
        })
        await tool(era, scope, 'handoff', { summary: text, next_action: `${TASK} ${text}` })
        const guide = await tool(era, scope, 'guide', { task: `${TASK} ${text}`, task_signature: text })
        const [guide_trace_id = ''] = /guide_trace:[0-9a-f-]{36}/.exec(guide.texts.join('\n')) ?? []
        await tool(era, scope, 'finish', { guide_trace_id, outcome: 'failed', summary: text, used: [text] })
      },
    ]),
  ),
  ...Object.fromEntries(
    HOSTS.map((host) => [`hooks of ${host}`, (scope: string, text: string) => worked(host, scope, text)]),
  ),
}

const HEADER =
  /^(?:No recorded memory applies: |Governed memory: |Posture: |Role: agent\. |The request and the current files come first\. )/u
const SECTIONS = ['USE NOW', 'INSPECT BEFORE USE', 'DO NOT USE', 'REHYDRATE']

/** @throws when a prompt has a line, a heading, a handle or a character that memgov does not make */
function judged(prompt: string): void {
  const { header, sections } = parsePrompt(prompt)
  expect(header.filter((line) => !HEADER.test(line))).toEqual([])
  expect([...sections.keys()].filter((name) => !SECTIONS.includes(name))).toEqual([])
  const ids = [...sections.values()].flatMap((lines) => lines.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^(?:m\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u.test(id))).toEqual([])
  expect(prompt.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
}

const ASKED = {
  query_text: TASK,
  task_signature: SIGNATURE,
  mode: 'full_power',
  context_char_budget: 100_000,
}

/** Every way in which an agent is shown memory of a scope. */
async function shown(scope: string): Promise<readonly string[]> {
  const whole = JSON.parse(await operation('/v1/guide', scope, ASKED))
  const brief = JSON.parse(await operation('/v1/guide', scope, { ...ASKED, view: 'prompt' }))
  const called = await tool('modern', scope, 'guide', { task: TASK, task_signature: SIGNATURE })
  const hooked = JSON.parse(
    await hook('claude-code', scope, PAYLOADS['claude-code'].prompt(root, TASK, 'last')),
  )
  const inserted: string = hooked.hookSpecificOutput?.additionalContext ?? ''
  return [
    whole.agent_context.prompt_text,
    brief.agent_context.prompt_text,
    called.texts.join('\n').replace(/\n*guide_trace_id: \S+$/u, ''),
    inserted.replace(/\n*guide_trace_id: \S+$/u, ''),
  ]
}

test.each(Object.keys(WRITES))(
  'no text that comes in by %s forges a line of what agents are shown',
  async (way) => {
    let entries = 0
    await provingAsync(60, { seed: SEED })(hostileText, async (text) => {
      const scope = `hostile-${(scopes += 1)}`
      await WRITES[way]?.(scope, text)
      for (const prompt of await shown(scope)) {
        judged(prompt)
        entries += prompt.match(/^\[/gmu)?.length ?? 0
      }
    })
    expect(entries).toBeGreaterThan(0)
  },
)

test('no candidate of another store forges one either', async () => {
  await provingAsync(200, { seed: SEED })(
    fc.array(hostileText, { minLength: 1, maxLength: 4 }),
    async (texts) => {
      const candidates = texts.map((text, at) => ({
        external_memory_id: `${text}-${at}`,
        source_backend: text,
        text: `${TASK} ${text}`,
        metadata: { title: text },
      }))
      const answer = JSON.parse(
        await operation('/v1/memory/govern', 'hostile', { query_text: TASK, candidates }),
      )
      const prompt: string = answer.agent_context?.prompt_text ?? ''
      const { header, sections } = parsePrompt(prompt)
      expect(header.filter((line) => !HEADER.test(line))).toEqual([])
      expect([...sections.keys()].filter((name) => !SECTIONS.includes(name))).toEqual([])
      expect([...sections.values()].flat().length).toBeLessThanOrEqual(texts.length)
      expect(prompt.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
    },
  )
})
