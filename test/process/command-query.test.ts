import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { MAIN, runToEnd, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

test('memgov blast-radius and explain ask the service that runs, and say plainly when none does', async () => {
  const service = await startProcess(dataFolder())
  const client = new HttpClient(service.url)
  const place = { scope: 'shop' }
  const body = {
    ...place,
    input_text: 'Deploys go through staging',
    memory: { kind: 'rule', title: 'Staging \u001b[2J' },
  }
  const [id = ''] = answerOf(await client.call('observe', body)).memory_ids
  const { guide_trace_id } = answerOf(await client.call('guide', { ...place, query_text: 'deploy' }))
  await client.close()

  const env = { MEMGOV_URL: service.url }
  const shown = await runToEnd(['blast-radius', id, '--scope', 'shop'], env)
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain(`Blast radius of memory_id ${id}`)
  expect(shown.stdout).toContain(guide_trace_id)
  expect(shown.stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u)

  const json = await runToEnd(['blast-radius', '--origin', 'agent', '--scope', 'shop', '--json'], env)
  expect(JSON.parse(json.stdout).blast_radius.memories).toMatchObject([{ memory_id: id }])
  const refused = await runToEnd(['blast-radius', 'no-such-id', '--scope', 'shop'], env)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^memgov: No memory that this consumer can see has this memory_id: /)

  const told = await runToEnd(['explain', guide_trace_id, '--scope', 'shop'], env)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  const lines = told.stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))
  expect(lines).toContain(`Guide ${guide_trace_id}`)
  expect(lines).toContain(`inspect_before_use | ${id} | S6 screening_finding`)
  expect(lines).toContain('Nothing: the same guide now shows the same.')
  const unknown = await runToEnd(['explain', 'guide_trace:none', '--scope', 'shop'], env)
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^memgov: No such guide/)

  await service.end()
  const alone = await runToEnd(['blast-radius', id, '--url', service.url])
  expect(alone).toMatchObject({ code: 1, stdout: '' })
  expect(alone.stderr).toBe(`memgov: No service answers at ${service.url}: start it with memgov serve.\n`)
})

test('tail ends at what comes after its reader has left, as behind | head', { timeout: 30_000 }, async () => {
  const service = await startProcess(dataFolder())
  const client = new HttpClient(service.url)
  const write = async (input_text: string) => answerOf(await client.call('observe', { input_text }))
  await write('The first note')
  const child = spawn(process.execPath, [MAIN, 'tail', '--url', service.url])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await write('The second note')
  expect(await once(child, 'exit')).toEqual([0, null])
  await client.close()
  await service.end()
})

test('a command whose output a full disk does not take says so and ends with 1', async () => {
  const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
  const { code, stderr } = await runToEnd(['completion', 'bash'], {}, { through })
  expect(stderr).toMatch(/^memgov: the output is lost or cut off \(ENOSPC: .*\): make room and repeat\.\n$/)
  expect(code).toBe(1)

  const service = await startProcess(dataFolder())
  const client = new HttpClient(service.url)
  await client.call('observe', { input_text: 'The first note' })
  await client.close()
  expect(await runToEnd(['tail', '--url', service.url], {}, { through })).toMatchObject({ code: 1 })
  await service.end()
})

test('a reader that is slow gets all of a long output', async () => {
  const dir = dataFolder()
  const service = await startProcess(dir)
  const client = new HttpClient(service.url)
  const text = 'x'.repeat(3000)
  for (let at = 0; at < 60; at += 1) await client.call('observe', { input_text: `${at} ${text}` })
  await client.close()
  const through = ['sh', '-c', '"$@" | (sleep 2; cat)', 'sh']
  const { stdout } = await runToEnd(['ls', '--json', '--limit', '999', '--url', service.url], {}, { through })
  expect(stdout.length).toBeGreaterThan(80_000)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).memory_id),
  ).toHaveLength(60)
  await service.end()
})
