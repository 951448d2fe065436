import { expect, test } from 'vitest'
import { progressLineOn } from '../../bench/suite/progress-line.ts'

function target(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

test('a progress line stands on a terminal and is taken away again', () => {
  const terminal = target(true)
  const line = progressLineOn(terminal)
  line.say('[1/2] loop')
  expect(terminal.written.at(-1)).toContain('[1/2] loop 0 s')
  line.clear()
  expect(terminal.written.at(-1)).toBe('\r\u001b[2K')
})

test('nothing is written anywhere else', () => {
  const pipe = target(false)
  const line = progressLineOn(pipe)
  line.say('[1/2] loop')
  line.clear()
  expect(pipe.written).toEqual([])
})
