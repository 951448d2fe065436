import { expect, test } from 'vitest'
import { RecentReadings } from '../../src/actor/recent-readings.ts'

const textOf = (at: number): string => `The lift of hall ${at} is open.`

test('a text is read once while few others are asked for, and anew once many were', () => {
  const readings = new RecentReadings()
  const first = readings.of(textOf(0))
  for (let at = 1; at <= 40; at += 1) readings.of(textOf(at))
  expect(readings.of(textOf(0))).toBe(first)
  for (let at = 1; at <= 100; at += 1) readings.of(textOf(at))
  expect(readings.of(textOf(0))).not.toBe(first)
})

test('it weighs what it holds, of however many and however long texts, and nothing once it has forgotten', () => {
  const readings = new RecentReadings()
  const weights: number[] = []
  for (let at = 0; at < 100; at += 1) {
    readings.of(textOf(at).repeat(at))
    weights.push(readings.weightBytes())
  }
  expect(Math.max(...weights)).toBeLessThan(5_000_000)
  expect(weights.at(-1)).toBeGreaterThan(0)
  readings.forget()
  expect(readings.weightBytes()).toBe(0)
})
