// Fits the weights of the second stage and prints them as the table of src/core/rerank/features.ts. With --check also what
// they and those of the source find in every set of the folder: sets that were fitted on, and sets that only check.
// With `questions` the odds of src/core/search/rank-result.ts instead, with `signs` the weights of
// src/core/similarity/dispute-likely.ts, with `steering` the table of src/core/screening/steering-table.ts; they need no folder.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { FEATURES, WEIGHTS, type Weights } from '../src/core/rerank/features.ts'
import { GRADES } from '../src/core/search/rank-result.ts'
import { SIGNS } from '../src/core/similarity/dispute-likely.ts'
import { descend } from './fit/descent.ts'
import { ownScopes } from './fit/own-texts.ts'
import { fittedOdds, toldApart } from './fit/questions.ts'
import { FITTED, rankedWith, samplesOf } from './fit/samples.ts'
import { fittedSigns } from './fit/signs.ts'
import { fittedSteering, heldApart, steeringModule, steeringTexts, type WrittenText } from './fit/steering.ts'
import { isMain, tableText } from './measure.ts'
import { meanOf, valuesOf } from './recall-sets/found.ts'
import { formsOf, type QuestionSet, readSets, type Scope } from './recall-sets/sets.ts'
import { dataFolder } from './suite/folder.ts'

/**
 * Sets of the data folder that may be fitted on, by licence: MIT (commits), SPI (FAQs). All others only check. A set counts
 * as much as its number says, however many questions it has.
 */
const SHARES: Readonly<Record<string, number>> = {
  'debian-faq-en, run': 1.6,
  'debian-faq-en, some runs': 1.6,
  'debian-faq-en, bare': 0.8,
  'debian-faq-fr, run': 1.6,
  'debian-faq-fr, some runs': 1.6,
  'debian-faq-fr, bare': 0.8,
  'fastify-commits-by-failed-test, bare': 1,
  'fastify-commits-by-test-title, bare': 2.5,
  'own dialogues, run and speaker': 1,
  'own dialogues, run': 0.5,
  'own dialogues, bare': 0.3,
  'own dialogues in one scope, run and speaker': 0.8,
  'own dialogues in one scope, run': 0.5,
  'own dialogues in one scope, some runs': 0.5,
  'own dialogues in one scope, bare': 0.5,
  'own chats, run and speaker': 1,
  'own chats, run': 0.5,
  'own chats, bare': 0.3,
  'own chats in one scope, run and speaker': 0.8,
  'own chats in one scope, run': 0.5,
  'own chats in one scope, some runs': 0.5,
  'own chats in one scope, bare': 0.5,
  'own texts, run': 0.8,
  'own texts, some runs': 0.8,
  'own texts, bare': 0.4,
}

// From dist/bench.
const PAIRS = new URL('../../bench/fit/pairs.txt', import.meta.url)

function ownSets(): readonly QuestionSet[] {
  const { dialogues, chats, articles } = ownScopes()
  const kind = { family: 'own', language: 'en' }
  const apartAndTogether = (name: string, scopes: readonly Scope[]): readonly QuestionSet[] => [
    ...formsOf({ ...kind, name, scopes }),
    ...formsOf({ ...kind, name: `${name} in one scope`, scopes: [joined(name, scopes)] }),
  ]
  return [
    ...apartAndTogether('own dialogues', dialogues),
    ...apartAndTogether('own chats', chats),
    ...formsOf({ ...kind, name: 'own texts', scopes: [articles] }),
  ]
}

/** Every other run unnamed: there a memory of a run stands beside memories of none, and neither kind may hide the other. */
function withSomeRuns(sets: readonly QuestionSet[]): readonly QuestionSet[] {
  return sets
    .filter(({ name }) => name.endsWith(', run'))
    .map((set) => ({
      ...set,
      name: set.name.replace(/, run$/, ', some runs'),
      scopes: set.scopes.map((scope) => {
        const runs = [...new Set(scope.memories.map(({ run }) => run))]
        const unnamed = new Set(runs.filter((_, at) => at % 2 === 1))
        return {
          ...scope,
          memories: scope.memories.map((each) => (unnamed.has(each.run) ? { ...each, run: null } : each)),
        }
      }),
    }))
}

function joined(name: string, scopes: readonly Scope[]): Scope {
  return {
    name,
    memories: scopes.flatMap(({ memories }) => memories),
    questions: scopes.flatMap(({ questions }) => questions),
  }
}

/** With two decimals, as they stand in the source. What is not fitted stays as it is there. */
function fitted(sets: readonly QuestionSet[]): Weights {
  const samples = sets.flatMap((set) => samplesOf(set, SHARES[set.name] ?? 0))
  const found = descend(samples, FITTED.length)
  const weights = { ...WEIGHTS }
  for (const [at, feature] of FITTED.entries()) weights[feature] = Math.round((found[at] ?? 0) * 100) / 100
  return weights
}

function comparison(sets: readonly QuestionSet[], weights: Weights): string {
  const rows = sets.map((set) => {
    const use = (SHARES[set.name] ?? 0) > 0 ? 'fit' : 'check'
    const cells = [
      rankedWith(set, WEIGHTS),
      rankedWith(set, weights),
      rankedWith(set, weights, true),
    ].flatMap((found) => {
      return [meanOf(valuesOf(found, 'recall@10')).toFixed(3), meanOf(valuesOf(found, 'MRR')).toFixed(3)]
    })
    return [set.name, use, ...cells]
  })
  return tableText([
    ['', '', 'source: recall@10', 'MRR', 'fitted: recall@10', 'MRR', 'beside a weak model: recall@10', 'MRR'],
    ...rows,
  ])
}

/** Of each set, by what was fitted on all the others. */
function heldTable(texts: readonly WrittenText[]): string {
  const rows = heldApart(texts).map((each) => [
    each.set,
    `${each.attacksBefore} → ${each.attacksHeld} of ${each.attacks}`,
    `${each.harmlessBefore} → ${each.harmlessHeld} of ${each.harmless}`,
  ])
  return tableText([['', 'attacks held', 'harmless held'], ...rows])
}

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { data: { type: 'string' }, check: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (positionals[0] === 'signs') {
    const { before, weights } = fittedSigns(readFileSync(PAIRS, 'utf8'))
    const table = SIGNS.map(({ says }, at) => `  ${weights[at]}  ${says}`).join('\n')
    process.stdout.write(`  ${before}  before any sign\n${table}\n`)
    process.exit()
  }
  if (positionals[0] === 'steering') {
    const texts = steeringTexts()
    process.stdout.write(
      values.check === true ? `${heldTable(texts)}\n` : steeringModule(fittedSteering(texts)),
    )
    process.exit()
  }
  const data = dataFolder(values.data)
  if (data === null) throw new Error('name the folder above recall with --data DIR or BENCH_DATA')
  const named = [...readSets(data), ...ownSets()]
  const sets = [...named, ...withSomeRuns(named)]
  const missing = Object.keys(SHARES).filter((name) => !sets.some((set) => set.name === name))
  if (missing.length > 0) throw new Error(`${data} has no ${missing.join('; ')}`)
  if (positionals[0] === 'questions') {
    const bare = named.filter(({ name }) => name.endsWith('bare'))
    const own = bare.filter(({ name }) => (SHARES[name] ?? 0) > 0)
    process.stdout.write(`${fittedOdds(own).join('  ')}\n`)
    const rows = bare.map((set) => [
      set.name,
      ...toldApart(set, bare, GRADES.sure).map((share) => share.toFixed(3)),
    ])
    process.stdout.write(`${tableText([['', 'own', 'foreign'], ...rows])}\n`)
    process.exit()
  }
  const weights = fitted(sets.filter(({ name }) => (SHARES[name] ?? 0) > 0))
  const table = FEATURES.map((feature) => `  ${feature}: ${weights[feature]},`).join('\n')
  process.stdout.write(`${table}\n\n`)
  if (values.check === true) process.stdout.write(`${comparison(sets, weights)}\n`)
}
