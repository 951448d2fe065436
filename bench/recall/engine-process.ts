// One engine in a process of its own: its garbage, its compiled code and its processor time are nobody else's.
import process from 'node:process'
import { mulberry32, sentence, zipfWords } from '../synthetic-text.ts'
import { type Engine, EngineMissing } from './engines/engine.ts'
import { ENGINES } from './engines/kinds.ts'
import type { Measured, Order, Reply } from './engines/orders.ts'
import { termsOf } from './engines/terms.ts'

const CORPUS_SEED = 11
const QUESTION_SEED = 12
const MEMORY_WORDS = 34
const QUESTION_WORDS = 12

type OrderTo<Name extends Order['do']> = Extract<Order, { readonly do: Name }>

interface Subject {
  readonly engine: Engine
  readonly memories: readonly string[]
  readonly questions: readonly string[]
  readonly heapBytesBefore: number
  size: number
}

let subject: Subject | null = null

process.on('message', (order) => {
  void carryOut(order as Order).then((reply) => process.send?.(reply))
})

// Nobody is left to answer to.
process.on('disconnect', () => process.exit())

async function carryOut(order: Order): Promise<Reply> {
  try {
    return { measured: await measuredBy(order) }
  } catch (error) {
    if (error instanceof EngineMissing) return { missing: error.message }
    throw error
  }
}

async function measuredBy(order: Order): Promise<Measured> {
  if (order.do === 'open') return open(order)
  if (order.do === 'reload') return reload(order)
  if (subject === null) throw new Error(`${order.do} before open`)
  const own = subject
  const { engine, memories, questions } = own
  const read = (doc: number): string => memories[doc] ?? ''
  const insertNext = (): unknown => {
    const doc = own.size
    own.size += 1
    return engine.add(doc, read(doc))
  }
  if (order.do === 'grow') {
    const added = await timed(order.memories - own.size, insertNext)
    const settled = await timed(1, () => engine.settle())
    return { ...settled, cpuMs: added.cpuMs + settled.cpuMs }
  }
  if (order.do === 'ask') {
    return timed(
      order.questions,
      (place) => engine.search(questions[(order.from + (place % order.questions)) % questions.length] ?? ''),
      (ms) => ms < order.atLeastMs,
      (ms) => ms > order.atMostMs,
    )
  }
  if (order.do === 'insert') return timed(order.memories, insertNext)
  if (order.do === 'remove') {
    const remove = (place: number) => engine.remove(order.from + place, read(order.from + place))
    return timed(order.memories, remove, null, (ms) => ms > order.atMostMs)
  }
  if (order.do === 'save') await engine.save(order.folder)
  const bytes = engine.indexBytes() ?? heapBytes() - own.heapBytesBefore
  return { ...(await timed(0, () => 0)), bytes }
}

async function open(order: OrderTo<'open'>): Promise<Measured> {
  const kind = ENGINES[order.engine]
  const { reads } = kind
  const engine = kind.open()
  const memories = textsOf(CORPUS_SEED, order.memories, MEMORY_WORDS, reads)
  const questions = textsOf(QUESTION_SEED, order.questions, QUESTION_WORDS, reads)
  subject = { engine, memories, questions, heapBytesBefore: heapBytes(), size: 0 }
  return timed(0, () => 0)
}

/** From a stored index to the answer of the first question, in a process that did nothing else yet, or was warmed. */
async function reload(order: OrderTo<'reload'>): Promise<Measured> {
  const kind = ENGINES[order.engine]
  const [question = ''] = textsOf(QUESTION_SEED, 1, QUESTION_WORDS, kind.reads)
  if (order.isWarm) await kind.warm?.()
  let engine: Engine | null = null
  return timed(2, async () => {
    if (engine !== null) return engine.search(question)
    engine = await kind.load(order.folder)
    return 0
  })
}

/** Does the work so many times, and on while `goesOn` says so; ends early when `isLate` does. */
async function timed(
  count: number,
  work: (place: number) => unknown,
  goesOn: ((ms: number) => boolean) | null = null,
  isLate: ((ms: number) => boolean) | null = null,
): Promise<Measured> {
  const timesUs: number[] = []
  const before = process.cpuUsage()
  const startedAt = performance.now()
  for (let place = 0, at = startedAt; place < count || goesOn?.(at - startedAt) === true; place += 1) {
    const result = work(place)
    if (result instanceof Promise) await result
    const now = performance.now()
    timesUs.push((now - at) * 1_000)
    at = now
    if (isLate?.(now - startedAt) === true) break
  }
  const { user, system } = process.cpuUsage(before)
  return { timesUs, cpuMs: (user + system) / 1_000, bytes: 0 }
}

function textsOf(seed: number, count: number, words: number, reads: 'text' | 'terms'): string[] {
  const random = mulberry32(seed)
  const word = zipfWords(random)
  return Array.from({ length: count }, () => {
    const text = sentence(random, word, words)
    return reads === 'text' ? text : termsOf(text)
  })
}

function heapBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
