import { describe, expect, test } from 'vitest'
import { scaled } from '../harness/scale.ts'
import { exposure, exposures, openLedger } from '../unit/ledger-fixtures.ts'
import { memoryLog, NOW_MS } from '../unit/snapshot-fixtures.ts'
import { GRANT } from './journal-life.ts'
import { MemoryDisk, PowerLoss, seededCoin } from './snapshot-disk.ts'

const seeds = scaled(6)
const KEY = 'tenant/scope'
/** Ten appends of three records: the ninth starts a merge. */
const APPENDS = Array.from({ length: 10 }, (_, index) => ({ fromSeq: index * 3, toSeq: index * 3 + 3 }))

async function appendUntil(disk: MemoryDisk, lastCall: number): Promise<number> {
  disk.intercept = () => {
    if (disk.calls > lastCall) throw new PowerLoss()
  }
  let ackedSeq = 0
  try {
    const ledger = await openLedger(disk.files)
    for (const { fromSeq, toSeq } of APPENDS) {
      await ledger.append(GRANT, KEY, fromSeq, toSeq, exposures(fromSeq, toSeq))
      ackedSeq = toSeq
    }
  } catch (error) {
    expect(error).toBeInstanceOf(PowerLoss)
  }
  return ackedSeq
}

async function callsOfWorkload(): Promise<number> {
  const disk = new MemoryDisk('/data')
  await appendUntil(disk, Number.POSITIVE_INFINITY)
  return disk.calls
}

describe('after a power cut at any call of appends and a merge', () => {
  test('every acknowledged record is found, nothing is damaged, and a repetition of the lost append is harmless', async () => {
    const total = await callsOfWorkload()
    for (let lastCall = 0; lastCall <= total; lastCall++) {
      for (let seed = 1; seed <= seeds; seed++) {
        const disk = new MemoryDisk('/data')
        const ackedSeq = await appendUntil(disk, lastCall)
        if (seed === 1) disk.restart()
        else disk.cutPower(seededCoin(seed * 7919 + lastCall))
        const log = memoryLog()
        const ledger = await openLedger(disk.files, { log })
        for (const record of exposures(0, ackedSeq)) {
          expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
        }
        expect(disk.paths().filter((path) => path.endsWith('.tmp'))).toEqual([])
        const next = APPENDS.find(({ fromSeq }) => fromSeq === ackedSeq)
        if (next !== undefined)
          await ledger.append(GRANT, KEY, next.fromSeq, next.toSeq, exposures(next.fromSeq, next.toSeq))
        disk.cutPower(() => false)
        const reopened = await openLedger(disk.files, { log })
        for (const record of exposures(0, next?.toSeq ?? ackedSeq)) {
          expect(await reopened.find(KEY, record.guideTraceId)).toEqual(record)
        }
        expect(log.lines).toEqual([])
      }
    }
  })

  test('and of retention: an acknowledged record is found, or its age says that it was removed', async () => {
    const uncut = new MemoryDisk('/data')
    expect(await roundsUntil(uncut, Number.POSITIVE_INFINITY)).toBe(ROUNDS)
    let removed = 0
    for (let lastCall = 0; lastCall <= uncut.calls; lastCall++) {
      for (let seed = 1; seed <= seeds; seed++) {
        const disk = new MemoryDisk('/data')
        const ackedRounds = await roundsUntil(disk, lastCall)
        disk.cutPower(seededCoin(seed * 104_729 + lastCall))
        const ledger = await openLedger(disk.files, { budgetBytes: BUDGET_BYTES })
        for (let round = 1; round <= ackedRounds; round++) {
          const record = exposure(round * 5 + 1, NOW_MS + round)
          const found = await ledger.find(keyOf(round), record.guideTraceId)
          if (found !== null) expect(found).toEqual(record)
          else expect(ledger.isBeyondRetention(keyOf(round), record.guideTraceId)).toBe(true)
          if (found === null) removed++
        }
      }
    }
    expect(removed).toBeGreaterThan(uncut.calls)
  })
})

const ROUNDS = 8
const BUDGET_BYTES = 5_000
const keyOf = (round: number): string => `tenant/${round % 2}`

/** Appends over the budget until the power fails at the given call; the rounds that were acknowledged. */
async function roundsUntil(disk: MemoryDisk, lastCall: number): Promise<number> {
  disk.intercept = () => {
    if (disk.calls > lastCall) throw new PowerLoss()
  }
  let acked = 0
  try {
    const ledger = await openLedger(disk.files, { budgetBytes: BUDGET_BYTES })
    for (let round = 1; round <= ROUNDS; round++) {
      const records = exposures(round * 5, round * 5 + 5, NOW_MS + round)
      await ledger.append(GRANT, keyOf(round), round, round + 1, records)
      acked = round
    }
  } catch (error) {
    expect(error).toBeInstanceOf(PowerLoss)
  }
  return acked
}
