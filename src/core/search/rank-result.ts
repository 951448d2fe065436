import type { BestDocs, TopDocs } from './best-docs.ts'
import type { Chain } from './rank-job.ts'

/**
 * What makes a match strong: a memory that on its own shows that it is about what is asked. Found by measurement over
 * twelve sets of questions in five languages, cut into 92 scopes of 25 to 9000 memories, each asked 100 to 500 questions
 * of its own and up to 500 of other sets; docs/internals/recall.md, Grades.
 */
export const GRADES = {
  /**
   * Information that a match must have, in words as rare as can be: the root of the number of memories over this, at
   * most `needMax`. The more memories, the more of them share a rare word with a question by chance. Of the divisors
   * 40, 50 and 60 this one leaves 93 % of foreign questions without a strong match.
   */
  needDivisor: 65,
  needMax: 1.5,
  /**
   * A question's need grows as the share of its words that memory knows falls, with this power of it: of a question about
   * something else most words are in no memory (0.63 of them; of one about the scope 0.07).
   */
  knownPower: 2,
  /**
   * Mean length of memories, in terms, from which on the power is whole; of shorter ones it is as much smaller, but half at least. The fewer words a
   * memory has, the less likely it shares a rare one with a question about something else.
   */
  longFrom: 36,
  /**
   * What an everyday word tells of what a word does: in a small scope it is rare too, and a question about something else
   * has it as well. Of 0.3, 0.4 and 0.5 this one lets fewest foreign questions through.
   */
  everyday: 0.4,
  /** What an identifier that nobody wrote counts of an unknown word, and how many do: a pasted trace has many. */
  unknownIdentifier: 0.5,
  unknownIdentifiersMax: 2,
  /** Information that is enough of any question: a long one has many words that no memory knows. */
  alone: 2.5,
  /** Share of what is asked that is enough, however common its words are. */
  coverage: 0.75,
  /**
   * A match that has all that memory knows of the question, in two terms at least, needs this share of the information: of 0.3,
   * 0.5 and 0.7 the least that lets no further foreign question through. It shows 0.3 % more of the answers.
   */
  whole: 0.5,
  /**
   * The odds that a question is about what memory holds, in logarithms: a logistic regression over questions of a scope and
   * of others (`npm run fit -- questions`), by the best of its matches. What they
   * are weights of: `signsOf`.
   */
  odds: { before: 1.26, together: 1.45, coverage: 5.68, two: 0.56, known: 0.39, memories: -0.68 },
  /** A question with less is in doubt, unless a match has an exact identifier. */
  sure: 0.7,
  /** From so much on, what has this share of the best one's text score is strong, however little it has by itself. */
  clear: 2.4,
  besideClear: 0.6,
  /**
   * A question none of whose matches holds a term for so many that it asks for is about something else, however rare the
   * shared ones are: of a whole title one word. So many terms are enough of any question. Between 3 and 5 it takes
   * away half of the foreign questions that were shown anything, for 0.5 % of the own answers.
   */
  askedPerShared: 3.85,
  sharedEnough: 3,
  /** A match with less than this share of the best one's text score is weak beside it; of a question in doubt. */
  besideBest: 0.2,
  besideDoubted: 0.6,
  /**
   * What stands beside a match in its run is as strong when it is lent this share of the best one's text score, unless the
   * question is in doubt.
   */
  lentBesideBest: 0.3,
  /**
   * So much less than the best strong memory may have in logarithms of odds, all signals together, what is not weak beside it:
   * the first few a fiftieth of its odds, the others a thirteenth. Of the others that takes away every eighth
   * line of long lists, and 0.5 % of the answers.
   */
  oddsOfFirst: 4,
  first: 5,
  /** So many records that differ by numbers only are strong, of those that a question does not tell from each other. */
  ofOneForm: 2,
  oddsOfRest: 2.6,
} as const

/** What a strong match has: one of both at least. */
interface Need {
  /** In words as rare as can be. */
  readonly information: number
  /** Share of the question's information. */
  readonly coverage: number
}

/**
 * What a match must have in a scope of so many memories, of this mean length in terms, for a question of whose words this share is
 * known.
 */
export function needOf(docs: number, known: number, meanLength: number): Need {
  const familiar = known ** (GRADES.knownPower * Math.min(1, Math.max(0.5, meanLength / GRADES.longFrom)))
  const information = Math.min(GRADES.needMax, Math.sqrt(docs) / GRADES.needDivisor) / familiar
  return { information: Math.min(GRADES.alone, information), coverage: GRADES.coverage / familiar }
}

/** How many terms a match has of a question about what memory holds, where its words are so many. */
export function leastTermsOf(words: number): number {
  return Math.min(GRADES.sharedEnough, words / GRADES.askedPerShared)
}

/** Sums of the same numbers in another order differ by less. */
const ROUNDING = 1e-9

/** Hits, best first: by score, at the same score the newer document. Parallel lists. */
export interface RankResult extends BestDocs {
  /** Terms of the query in the document. */
  readonly matchedTerms: Uint8Array
  /** Share of the query's information (idf) that the document has, 0 … 1; words that nobody wrote do not count. */
  readonly coverage: Float32Array
  /** FLAG_EXACT, FLAG_STRONG, FLAG_DOUBTED. */
  readonly flags: Uint8Array
  /** Of the term of each bit: its share of the query's information. */
  readonly termShares: Float64Array
  /** By what it is known whether the question is about what memory holds. */
  readonly about: About
}

/** What the best matches of a question have, each the most that one has, beside what is asked and of how many. */
export interface About {
  /** Of the information and the coverage that a match needs, multiplied. */
  readonly together: number
  /** Share of the question's information. */
  readonly coverage: number
  readonly terms: number
  /** Terms of the question that memory knows. */
  readonly known: number
  /** Memories that the consumer sees. */
  readonly memories: number
}

/** The document holds an exact identifier that the query names. */
export const FLAG_EXACT = 1
/** On its own the document shows that it is about what is asked, and it is not weak beside the best one. */
export const FLAG_STRONG = 2
/** It is strong, but no match of the question is surely so. */
export const FLAG_DOUBTED = 4
/** Bytes of one hit in all lists. */
const HIT_BYTES = 22
/** A term of the query that a visible document holds. */
export interface ScannedTerm {
  /** One for each of its spellings. */
  readonly chains: readonly Chain[]
  readonly idf: number
  /** Which share of it tells what a memory is about: less than 1 of an everyday word. */
  readonly telling: number
  readonly isExact: boolean
  /** Nobody wrote it: its chains are those of words at edit distance 1. */
  readonly isTypo: boolean
}

/** The bits of the terms for which something holds; the bit of a term is its place. */
export function maskOf(terms: readonly ScannedTerm[], holds: (term: ScannedTerm) => boolean): number {
  return terms.reduce((mask, term, bit) => (holds(term) ? mask | (1 << bit) : mask), 0) >>> 0
}

/** What a query asks for, in sums of idf. */
interface Asked {
  readonly terms: readonly ScannedTerm[]
  /** What related words tell, by the bits that no term has. */
  readonly relatedTold: Float64Array
  /** Of all its terms that a visible document holds. */
  readonly mass: number
  /** What a strong match tells: so much, or so much of what the question asks. */
  readonly enough: number
  readonly wide: number
  readonly exactMask: number
  /** Of one match at least, where the question is about what memory holds. */
  readonly leastTerms: number
  /** Memories that the consumer sees. */
  readonly docs: number
}

/** Sets of terms that are kept at once, a power of two, and what spreads them over the places. */
const KINDS = 256
const KIND_SHIFT = 24
const SPREAD = 0x9e3779b1

/** What hits with the same terms have in common, told once for all of them. To be used again for another question. */
export class HitKinds {
  // By place: the terms and related words, as bits; 0: none.
  readonly #held = new Uint32Array(KINDS)
  // By place, as in RankResult.
  readonly coverage = new Float64Array(KINDS)
  readonly matchedTerms = new Uint8Array(KINDS)
  readonly flags = new Uint8Array(KINDS)
  /** Of the hits so far: whether one has an exact identifier, or is strong with terms enough, and the most that one has. */
  hasExact = false
  isShared = false
  mostTold = 0
  mostCovered = 0
  mostTerms = 0

  begin(): void {
    this.#held.fill(0)
    this.hasExact = false
    this.isShared = false
    this.mostTold = 0
    this.mostCovered = 0
    this.mostTerms = 0
  }

  /** Place of a hit that holds these terms, one at least, and related words. */
  of(held: number, asked: Asked): number {
    const place = Math.imul(held, SPREAD) >>> KIND_SHIFT
    if (this.#held[place] !== held) this.#tell(held, place, asked)
    return place
  }

  #tell(held: number, place: number, asked: Asked): void {
    let sum = 0
    let information = 0
    let matchedTerms = 0
    // From the lowest bit on, so that sums are formed in one order everywhere.
    for (let rest = held; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      const term = asked.terms[bit]
      information += term === undefined ? (asked.relatedTold[bit] ?? 0) : term.idf * term.telling
      if (term === undefined) continue
      matchedTerms += 1
      sum += term.idf
    }
    const { mass, enough, wide } = asked
    const coverage = sum / mass
    const isExact = (held & asked.exactMask) !== 0
    const needed = coverage >= 1 - ROUNDING && matchedTerms > 1 ? enough * GRADES.whole : enough
    const isStrong = isExact || information >= needed || information >= wide
    this.hasExact ||= isExact
    this.isShared ||= isExact || (isStrong && matchedTerms >= asked.leastTerms)
    this.mostTold = Math.max(this.mostTold, information)
    this.mostCovered = Math.max(this.mostCovered, coverage)
    this.mostTerms = Math.max(this.mostTerms, matchedTerms)
    this.#held[place] = held
    this.coverage[place] = coverage
    this.matchedTerms[place] = matchedTerms
    this.flags[place] = (isExact ? FLAG_EXACT : 0) | (isStrong ? FLAG_STRONG : 0)
  }
}

/** Describes the first `size` of the hits. */
export function describeHits(asked: Asked, hits: BestDocs, size: number, kinds: HitKinds): RankResult {
  const { terms, mass, enough, wide, leastTerms } = asked
  kinds.begin()
  const termShares = new Float64Array(terms.length)
  for (let bit = 0; bit < terms.length; bit += 1) termShares[bit] = (terms[bit]?.idf ?? 0) / mass
  const allTerms = maskOf(terms, () => true)
  const about = { together: 0, coverage: 0, terms: 0, known: terms.length, memories: asked.docs }
  const found = emptyResult(size, termShares, about)
  const { docs, scores, masks, matchedTerms, coverage, flags } = found
  let best = 0
  for (let place = 0; place < size; place += 1) {
    const score = hits.scores[place] ?? 0
    const held = hits.masks[place] ?? 0
    docs[place] = hits.docs[place] ?? 0
    scores[place] = score
    // It has related words only.
    if ((held & allTerms) === 0) continue
    const kind = kinds.of(held, asked)
    const covered = kinds.coverage[kind] ?? 0
    masks[place] = held & allTerms
    matchedTerms[place] = kinds.matchedTerms[kind] ?? 0
    coverage[place] = covered
    flags[place] = kinds.flags[kind] ?? 0
    best = Math.max(best, score * (1 + covered))
  }
  about.together = kinds.mostTold === 0 ? 0 : kinds.mostTold ** 2 / (enough * wide)
  about.coverage = kinds.mostCovered
  about.terms = kinds.mostTerms
  const odds = oddsOf(about)
  const isClear = odds >= GRADES.clear
  const isShared = kinds.isShared || (isClear && kinds.mostTerms >= leastTerms)
  const isSure = kinds.hasExact || odds >= GRADES.sure
  const strongFrom = isClear ? best * GRADES.besideClear : Number.POSITIVE_INFINITY
  const weakBelow = best * (isSure ? GRADES.besideBest : GRADES.besideDoubted)
  gradeBeside(found, strongFrom, isShared ? weakBelow : Number.POSITIVE_INFINITY, isSure)
  return found
}

/** That a question is about what memory holds: the logarithm of the odds. */
export function oddsOf(about: About): number {
  const { odds } = GRADES
  return odds.before + signsOf(about).reduce((sum, sign, at) => sum + sign * (WEIGHTS[at] ?? 0), 0)
}

/** The numbers that the odds are summed up of, in the order of their weights. */
export function signsOf({ together, coverage, terms, known, memories }: About): readonly number[] {
  return [Math.log(together + TINY), coverage, terms > 1 ? 1 : 0, known, Math.log(memories)]
}

const WEIGHTS = [
  GRADES.odds.together,
  GRADES.odds.coverage,
  GRADES.odds.two,
  GRADES.odds.known,
  GRADES.odds.memories,
]

/** So that a question without a match has odds, too. */
const TINY = 0.01

/** Changes which are strong by what they are worth beside the best one, and marks these where the question is in doubt. */
function gradeBeside(found: RankResult, strongFrom: number, weakBelow: number, isSure: boolean): void {
  const { scores, coverage, masks, flags } = found
  const told = isSure ? FLAG_STRONG : FLAG_STRONG | FLAG_DOUBTED
  for (let place = 0; place < scores.length; place += 1) {
    const worth = (scores[place] ?? 0) * (1 + (coverage[place] ?? 0))
    const flag = flags[place] ?? 0
    if (worth < weakBelow) flags[place] = flag & ~FLAG_STRONG
    else if ((flag & FLAG_STRONG) !== 0 || (masks[place] !== 0 && worth >= strongFrom))
      flags[place] = flag | told
  }
}

/**
 * Puts those of `exact` behind the best that are not among them: they were not admitted there. Answers how many there are
 * now.
 */
export function addExact(hits: BestDocs, best: number, exact: TopDocs, exactMask: number): number {
  const inBest = new Set<number>()
  for (let place = 0; place < best; place += 1) {
    if (((hits.masks[place] ?? 0) & exactMask) !== 0) inBest.add(hits.docs[place] ?? 0)
  }
  exact.settle(hits, best)
  const end = best + exact.count
  let next = best
  for (let place = best; place < end; place += 1) {
    const doc = hits.docs[place] ?? 0
    if (inBest.has(doc)) continue
    hits.docs[next] = doc
    hits.scores[next] = hits.scores[place] ?? 0
    hits.masks[next] = hits.masks[place] ?? 0
    next += 1
  }
  return next
}

/** All lists in one buffer of their own: another thread is given it whole. */
function emptyResult(hits: number, termShares: Float64Array, about: About): RankResult {
  const buffer = new ArrayBuffer(hits * HIT_BYTES)
  return {
    scores: new Float64Array(buffer, 0, hits),
    docs: new Int32Array(buffer, hits * 8, hits),
    coverage: new Float32Array(buffer, hits * 12, hits),
    masks: new Uint32Array(buffer, hits * 16, hits),
    matchedTerms: new Uint8Array(buffer, hits * 20, hits),
    flags: new Uint8Array(buffer, hits * 21, hits),
    termShares,
    about,
  }
}
