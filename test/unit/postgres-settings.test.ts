import type { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { requireSettings } from '../../src/adapters/postgres/settings.ts'
import { memoryLog } from '../harness/system.ts'

const GOOD = {
  server_version_num: '150018',
  server_encoding: 'UTF8',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
  transaction_read_only: 'off',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '-1',
  lacking: '',
}

/** A connection to a server that is set so. */
function connection(set: Partial<typeof GOOD> = {}, behind = false): Client {
  const client = {
    processID: 7,
    async query(text: string) {
      if (text.includes('pg_backend_pid')) return { rows: [{ pid: behind ? 8 : 7 }] }
      if (text.includes('current_setting')) return { rows: [{ ...GOOD, ...set }] }
      return { rows: [{ settings: { holdoutPercent: 5 }, shards: 1024 }] }
    },
  }
  return client as unknown as Client
}

describe('a start on PostgreSQL', () => {
  test('takes a server that is set as it comes, and learns how many shards there are', async () => {
    expect(await requireSettings(connection(), 'local', { holdoutPercent: 5 }, memoryLog().log)).toBe(1024)
  })

  test.each([
    [{ server_version_num: '140012' }, /PostgreSQL 14: use version 15/],
    [{ server_encoding: 'LATIN1' }, /encoding UTF8/],
    [{ fsync: 'off' }, /set fsync = on/],
    [{ full_page_writes: 'off' }, /set full_page_writes = on/],
    [{ synchronous_commit: 'off' }, /set synchronous_commit = on/],
    [{ transaction_read_only: 'on' }, /address of the primary/],
    [{ lacking: 'memgov.turn' }, /may not write into memgov.turn: run memgov store setup --role/],
  ])('refuses %o and says what to change', async (set, why) => {
    await expect(requireSettings(connection(set), 'local', {}, memoryLog().log)).rejects.toThrow(why)
  })

  test.each([
    [{}, /set synchronous_standby_names/],
    [{ synchronous_standby_names: 'ANY 1 (a)', synchronous_commit: 'local' }, /synchronous_commit = on/],
    [
      { synchronous_standby_names: 'ANY 1 (a)', synchronous_commit: 'remote_write' },
      /synchronous_commit = on/,
    ],
  ])('asked for copies on a standby refuses %o', async (set, why) => {
    await expect(requireSettings(connection(set), 'replicated', {}, memoryLog().log)).rejects.toThrow(why)
  })

  test('refuses a pooler before the server', async () => {
    await expect(requireSettings(connection({}, true), 'local', {}, memoryLog().log)).rejects.toThrow(
      /pooler/,
    )
  })

  test('warns when the server writes memory text into its log', async () => {
    const { log, lines } = memoryLog()
    await requireSettings(connection({ log_statement: 'all' }), 'local', {}, log)
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('log_parameter_max_length = 0'),
    ])
  })
})
