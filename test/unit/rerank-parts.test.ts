import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { descend } from '../../bench/fit/descent.ts'
import { scopesIn } from '../../bench/fit/own-texts.ts'
import { columnsFor, OF_TASK } from '../../src/core/rerank/candidate-columns.ts'
import { NamedSpeakers, RunEvidence } from '../../src/core/rerank/candidate-features.ts'
import { LENT_IN_RUN, LENT_IN_RUN_OF, logOfShare } from '../../src/core/rerank/features.ts'
import { MatchGrades } from '../../src/core/rerank/match-grades.ts'
import { HIT_ABOVE_FLOOR } from '../../src/core/rerank/signals.ts'
import { GRADES } from '../../src/core/search/rank-result.ts'
import { asksWhen, tellsWhen } from '../../src/core/text/told.ts'
import { memoryOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('rerank-parts')

describe('what the others of a run say', () => {
  test('is the mean of their best three and of all of them, the memory itself left out', () => {
    const anyScores = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
    prove(fc.tuple(anyScores, fc.nat({ max: 4 })), ([scores, silent]) => {
      const evidence = new RunEvidence([scores.length + silent])
      for (const score of scores) evidence.add(0, score, 0)
      const mean = (values: readonly number[], by: number): number =>
        by === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / by
      const all = [...scores, ...Array.from({ length: silent }, () => 0)]
      for (const [at, score] of all.entries()) {
        const others = all.toSpliced(at, 1).sort((a, b) => b - a)
        expect(evidence.bestBeside(0, score)).toBeCloseTo(mean(others.slice(0, 3), 3), 9)
        expect(evidence.meanBeside(0, score)).toBeCloseTo(mean(others, others.length), 9)
      }
    })
  })

  test('a memory alone in its run has none', () => {
    const evidence = new RunEvidence([1])
    evidence.add(0, 1, 0)
    expect([evidence.bestBeside(0, 1), evidence.meanBeside(0, 1), evidence.longness(0)]).toEqual([0, 0, 0])
  })

  test('has the words of all of them, which count less the longer a long run is', () => {
    const evidence = new RunEvidence([LENT_IN_RUN_OF, 2 * LENT_IN_RUN_OF])
    evidence.add(0, 1, 0b001)
    evidence.add(0, 1, 0b100)
    expect([evidence.wordsOf(0), evidence.wordsOf(1)]).toEqual([0b101, 0])
    expect([evidence.wordShare(0), evidence.wordShare(1)]).toEqual([LENT_IN_RUN, LENT_IN_RUN / 2])
  })
})

describe('what is weak beside the best', () => {
  /** Of strong hits with these text scores and totals, whether each is weak. */
  function weakOf(
    scores: readonly number[],
    totals: readonly number[],
    marks: readonly number[] = [],
    forms: readonly string[] = [],
  ): readonly boolean[] {
    const columns = columnsFor(scores.length)
    columns.found.set(scores)
    columns.total.set(totals)
    columns.marks.set(marks)
    columns.hits.set(scores.map((_, at) => at + 1))
    columns.slots.set(scores.map((_, at) => at))
    const flags = scores.map(() => HIT_ABOVE_FLOOR)
    const none = scores.map(() => 0)
    const hits = {
      slots: none,
      scores,
      coverage: none,
      matchedTerms: none,
      flags,
      masks: none,
      termShares: none,
    }
    const speakers = new NamedSpeakers(new World().state.columns, '', columns.slots, 0)
    const grades = new MatchGrades(
      { hits, near: [] },
      columns,
      speakers,
      scores.length,
      () => undefined,
      (place) => forms[place] ?? `${place}`,
    )
    return scores.map((_, at) => grades.isWeak(at))
  }

  test('is a match with too small a share of its text score, or of its odds', () => {
    const { besideBest, oddsOfFirst } = GRADES
    expect(weakOf([1, besideBest + 0.01, besideBest - 0.01], [5, 5, 5])).toEqual([false, false, true])
    expect(weakOf([1, 1], [5, 5.01 - oddsOfFirst])).toEqual([false, false])
    expect(weakOf([1, 1], [5, 4.99 - oddsOfFirst])).toEqual([false, true])
  })

  test('is a match in a long list with less of the odds than one among the first few', () => {
    const { first, oddsOfFirst, oddsOfRest } = GRADES
    const weakAfter = (before: number, total: number): boolean => {
      const totals = [5, ...Array.from({ length: before - 1 }, () => 4), total]
      return weakOf(Array<number>(totals.length).fill(1), totals).at(-1) === true
    }
    expect(weakAfter(first - 1, 5.01 - oddsOfFirst)).toBe(false)
    expect(weakAfter(first, 5.01 - oddsOfFirst)).toBe(true)
    expect(weakAfter(first, 5.01 - oddsOfRest)).toBe(false)
    expect(weakAfter(first, 4.99 - oddsOfRest)).toBe(true)
  })

  test('memory of the asked task takes no place among the first few, and makes nothing weak by its odds', () => {
    const { first, oddsOfFirst } = GRADES
    const totals = [...Array<number>(first).fill(5), 5.01 - oddsOfFirst]
    const scores = Array<number>(totals.length).fill(1)
    expect(weakOf(scores, totals).at(-1)).toBe(true)
    expect(weakOf(scores, totals, [OF_TASK]).at(-1)).toBe(false)
    expect(weakOf([1, 1], [5 + 2 * oddsOfFirst, 5], [OF_TASK])).toEqual([false, false])
  })

  test('are all but the newest two of one form that the question does not tell apart', () => {
    const totals = [5, 5, 5, 5]
    expect(weakOf([1, 1, 1, 1], totals, [], ['a', 'a', 'a', 'b'])).toEqual([true, false, false, false])
    expect(weakOf([1, 1, 1, 1], totals, [], ['a', 'a', 'b', 'b'])).toEqual([false, false, false, false])
    // One of them is asked for by its number.
    expect(weakOf([2, 1, 1, 1], totals, [], ['a', 'a', 'a', 'b'])).toEqual([false, false, false, false])
    expect(weakOf([1, 1, 1, 1], totals, [OF_TASK], ['a', 'a', 'a', 'b'])).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  test('a weak match makes nothing weak beside it, whatever its odds', () => {
    expect(weakOf([1, GRADES.besideBest / 2], [5, 5 + 2 * GRADES.oddsOfFirst])).toEqual([false, true])
  })
})

describe('questions and times', () => {
  test('a text asks when it holds a question mark of any script, also after it was revised', () => {
    const world = new World()
    const texts = ['Where is it?', '在哪里？', 'أين هو؟', 'It is here.']
    const slots = texts.map((text) => world.record(world.write(memoryOf({ text }))).slot)
    expect(slots.map((slot) => world.state.columns.questionShare(slot) > 0)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(slots.map((slot) => world.state.columns.classOf(slot))).toEqual([0, 0, 0, 0])
  })

  test.each([
    ['When did it start?', 'It started last week.'],
    ['Wann begann das?', 'Das war am Dienstag.'],
    ['Quand est-ce arrivé ?', "C'était en février."],
    ['¿Cuándo fue?', 'Fue el martes pasado.'],
    ['Quando foi?', 'Foi ontem.'],
    ['Когда это было?', 'Это было вчера.'],
    ['什么时候开始的？', '昨天开始的。'],
    ['いつですか', '明日です'],
    ['In which year was it?', 'It opened in 1987.'],
  ])('%s asks when, and %s tells it', (question, text) => {
    expect([asksWhen(question), tellsWhen(text)]).toEqual([true, true])
  })

  test('other questions and texts do not', () => {
    for (const text of [
      'Where is the shed?',
      'Whenever, wherever.',
      'Wo ist er?',
      'The shed is red.',
      'Der Hund bellt.',
    ])
      expect([asksWhen(text), tellsWhen(text)]).toEqual([false, false])
  })
})

describe('the fit', () => {
  test('gives weight to what tells evidence apart, none to what is the same everywhere, and the same every time', () => {
    const samples = Array.from({ length: 30 }, (_, n) => {
      const isEvidence = Uint8Array.from({ length: 5 }, (__, place) => (place === n % 5 ? 1 : 0))
      const rows = Float32Array.from({ length: 15 }, (__, at) =>
        at % 3 === 0 ? (isEvidence[Math.floor(at / 3)] ?? 0) : at % 3 === 1 ? 1 : ((at * n) % 7) / 7,
      )
      return { weight: 1 / 30, rows, isEvidence }
    })
    const [told = 0, same = 1, noise = 1] = descend(samples, 3)
    expect(told).toBeGreaterThan(2)
    expect(Math.abs(same)).toBeLessThan(0.01)
    expect(Math.abs(noise)).toBeLessThan(told / 4)
    expect(descend(samples, 3)).toEqual(descend(samples, 3))
  })

  test('own texts are read: speakers, labels, runs and questions', () => {
    const [scope] = scopesIn(
      '= talk\nAnn: Hi.\nBob {yes}: Yes: at 10.\n-\n{plain} No speaker.\n? Who? > yes, plain\n',
    )
    expect(scope?.memories).toEqual([
      { id: 'talk-0', text: 'Ann: Hi.', run: 'talk-0', speaker: 'Ann' },
      { id: 'talk-1', text: 'Bob: Yes: at 10.', run: 'talk-0', speaker: 'Bob' },
      { id: 'talk-2', text: 'No speaker.', run: 'talk-1', speaker: null },
    ])
    expect(scope?.questions).toEqual([{ text: 'Who?', evidence: ['talk-1', 'talk-2'] }])
    expect(() => scopesIn('= talk\nAnn: Hi.\n? Who? > nobody\n')).toThrow('nobody')
  })

  test('a share of the best score counts by its logarithm from zero on', () => {
    expect(logOfShare(0)).toBe(0)
    expect(logOfShare(0.35) - logOfShare(0.15)).toBeCloseTo(Math.LN2, 9)
    expect(logOfShare(0.75) - logOfShare(0.35)).toBeCloseTo(Math.LN2, 9)
  })
})
