import { type BestDocs, CANDIDATES_MAX, Selection, TopDocs } from './best-docs.ts'
import type { Cursor } from './postings.ts'
import {
  type Chain,
  COMPOUND,
  COUNT_VISIBLE,
  EVERYDAY,
  EXACT,
  PAIR,
  PART,
  RANK_LIMIT_MAX,
  type RankJob,
  RELATED,
  TERM_STRIDE,
  TYPO,
  VisiblePostings,
} from './rank-job.ts'
import {
  addExact,
  describeHits,
  GRADES,
  HitKinds,
  leastTermsOf,
  maskOf,
  needOf,
  type RankResult,
  type ScannedTerm,
} from './rank-result.ts'
import { WINDOW_DOCS, WINDOW_SHIFT, Window } from './window.ts'

/** What a word counts that is at edit distance 1 from the one that was asked for. */
export const TYPO_SHARE = 0.7

/**
 * What a word of a related meaning counts of what it would if it were asked for, and of what the word counts that was: where
 * everything speaks of packages, a module is nothing rare. It is in a score, and in the information of a memory that holds a word
 * that was asked for; not in what a memory covers of a question. Of 0.35 less is found; 0.5, 0.6 and 0.7 are alike.
 */
const RELATED_SHARE = 0.6
/** A related word that more documents than these and this share of them hold, or the word asked for, tells too little to be read. */
const RELATED_DOCS_MIN = 16
const RELATED_WHEN_ONE_IN = 16

/** From so many postings on, in documents for each, windows are read place by place. */
const DENSE_WHEN_ONE_IN = 4

/** Terms that are scanned at most, one bit each: the exact identifiers, then the rarest. */
export const SCANNED_TERMS_MAX = 32
/** Hits with an exact identifier that are admitted whatever their rank. */
export const EXACT_HITS_MAX = 64
const HITS_MAX = RANK_LIMIT_MAX + EXACT_HITS_MAX

/**
 * Ranks the documents of jobs, one after the other, in arrays that it uses again: a megabyte, enough for all indexes of a
 * thread. The same job gives the same result, on any thread.
 */
export class Ranker {
  readonly #selection = new Selection(CANDIDATES_MAX)
  readonly #window = new Window(this.#selection)
  readonly #visible = new VisiblePostings()
  /** The best of several windows, and the best that have an exact identifier. */
  readonly #best = new TopDocs(0, this.#selection)
  readonly #exact = new TopDocs(0, this.#selection)
  readonly #hits: BestDocs = {
    docs: new Int32Array(HITS_MAX),
    scores: new Float64Array(HITS_MAX),
    masks: new Uint32Array(HITS_MAX),
  }
  /** What a related word tells, by its bit. */
  readonly #relatedTold = new Float64Array(SCANNED_TERMS_MAX)

  readonly #kinds = new HitKinds()

  rank(job: RankJob): RankResult {
    if (job.allowed !== null) this.#visible.begin(job, job.allowed)
    const familiarity = new Familiarity()
    const related: RelatedWord[] = []
    const known = this.#knownTerms(job, familiarity, related)
    // In what was asked a typo weighs as what it is taken for.
    const massOf = ({ isTypo, idf }: ScannedTerm): number => (isTypo ? idf / TYPO_SHARE : idf)
    const mass = known.reduce((sum, term) => sum + massOf(term), 0)
    const telling = known.reduce((sum, term) => sum + massOf(term) * term.telling, 0)
    const need = needOf(job.docs, familiarity.share, job.meanLength)
    const terms = chosen(known)
    const exactMask = maskOf(terms, (term) => term.isExact)
    this.#best.clear(job.limit)
    this.#exact.clear(exactMask === 0 ? 0 : EXACT_HITS_MAX)
    const found = this.#scan(job, terms, terms.length < SCANNED_TERMS_MAX ? related : [], exactMask)
    const all = exactMask === 0 ? found : addExact(this.#hits, found, this.#exact, exactMask)
    const asked = {
      terms,
      relatedTold: this.#relatedTold,
      mass,
      enough: need.information * idfOf(0, job.docs),
      wide: need.coverage * telling,
      exactMask,
      leastTerms: leastTermsOf(familiarity.breadth),
      docs: job.docs,
    }
    return describeHits(asked, this.#hits, all, this.#kinds)
  }

  /**
   * The terms that a visible document holds, with the idf that the consumer's view gives them. Puts the words that are
   * related to them, or to terms that nobody wrote, into `related`.
   */
  #knownTerms(job: RankJob, familiarity: Familiarity, related: RelatedWord[]): ScannedTerm[] {
    const known: ScannedTerm[] = []
    const largestIdf = idfOf(0, job.docs)
    for (let at = 0; at < job.terms.length; ) {
      const number = job.terms[at + 4] ?? 0
      const stated = job.terms[at + 3] ?? PART
      const kind = stated & ~EVERYDAY
      const telling = (stated & EVERYDAY) === 0 ? 1 : GRADES.everyday
      const isExact = kind === EXACT
      const chains: Chain[] = []
      let docs = 0
      let isTypo = false
      for (; at < job.terms.length && job.terms[at + 4] === number; at += TERM_STRIDE) {
        const head = job.terms[at] ?? 0
        const postings = job.terms[at + 1] ?? 0
        const counted = job.terms[at + 2] ?? 0
        const here =
          counted === COUNT_VISIBLE
            ? this.#visible.see(job, head, postings)
            : { docs: counted, chain: { head, postings, isListed: false } }
        if (job.terms[at + 3] === RELATED) {
          // Rows of the word that was asked for stand before: `docs` has them all.
          const more = Math.max(here.docs, Math.min(docs, job.docs))
          const idf = RELATED_SHARE * idfOf(more, job.docs)
          const unless = docs > 0 ? 1 << known.length : 0
          const isTelling = more <= RELATED_DOCS_MIN || more * RELATED_WHEN_ONE_IN <= job.docs
          if (here.docs > 0 && isTelling)
            related.push({ chain: here.chain, idf, telling, asked: number, unless })
          continue
        }
        if (here.docs > 0) {
          chains.push(here.chain)
          isTypo = ((job.terms[at + 3] ?? PART) & ~EVERYDAY) === TYPO
        }
        docs += here.docs
      }
      // A document may hold several spellings, so their sum may be too high.
      const whole = idfOf(Math.min(docs, job.docs), job.docs)
      familiarity.count(kind, docs === 0 ? 0 : whole / largestIdf, telling)
      if (docs === 0) continue
      const idf = whole * (isTypo ? TYPO_SHARE : 1)
      known.push({ chains, idf, telling, isExact, isTypo })
    }
    return known
  }

  /** Puts the best into `#hits` and answers how many they are. */
  #scan(
    job: RankJob,
    terms: readonly ScannedTerm[],
    related: readonly RelatedWord[],
    exactMask: number,
  ): number {
    const window = this.#window
    const scans: Scan[] = []
    let postings = 0
    const read = (chain: Chain, idf: number, bit: number, unless: number): void => {
      scans.push({ cursor: this.#visible.cursor(job, chain), idf, bit, unless })
      postings += chain.postings
    }
    for (const [place, { chains, idf }] of terms.entries()) {
      for (const chain of chains) read(chain, idf, 1 << place, 0)
    }
    const places = new Map<number, number>()
    const told = this.#relatedTold.fill(0)
    for (const { chain, idf, telling, asked, unless } of related.toSorted((a, b) => b.idf - a.idf)) {
      // Where the bits that no term has are too few, the last words share one.
      const place = places.get(asked) ?? Math.max(terms.length, SCANNED_TERMS_MAX - 1 - places.size)
      places.set(asked, place)
      told[place] = Math.max(told[place] ?? 0, idf * telling)
      read(chain, idf, 1 << place, unless | (1 << place))
    }
    let numbered = 0
    for (const page of job.classes) numbered += page.length
    window.begin(job, postings * DENSE_WHEN_ONE_IN > numbered)
    let found = 0
    for (let number = firstWindow(scans); number >= 0; number = firstWindow(scans)) {
      window.moveTo(number << WINDOW_SHIFT)
      for (const { cursor, idf, bit, unless } of scans) {
        if (unless === 0) window.add(cursor, idf, bit)
        else window.addUnless(cursor, idf, bit, unless)
      }
      if (numbered <= WINDOW_DOCS) found = window.select(this.#exact, exactMask, this.#hits)
      else window.offer(this.#best, this.#exact, exactMask)
    }
    if (numbered <= WINDOW_DOCS) return found
    this.#best.settle(this.#hits, 0)
    return this.#best.count
  }
}

interface RelatedWord {
  readonly chain: Chain
  readonly idf: number
  /** As of the term that it stands for. */
  readonly telling: number
  /** Number of the term that it stands for. A document has one word for it: the term, or the rarest of those related to it. */
  readonly asked: number
  /** The bit of that term, 0: no visible document holds it. */
  readonly unless: number
}

interface Scan {
  readonly cursor: Cursor
  readonly idf: number
  /** In the mask of a document that holds it. */
  readonly bit: number
  /** A document with one of these bits does not count it. */
  readonly unless: number
}

/** About half of the pairs in a text lie across the border of two words. */
const HALF = 0.5

/**
 * Which share of a question's words the visible documents know: of words that are everywhere it says little that they are
 * known, of everyday words little that they are known or not. The parts of identifiers are no words of a question, nor is
 * an identifier that is known; of unknown ones a pasted trace has many.
 */
class Familiarity {
  #known = 0
  #unknown = 0
  #unknownIdentifiers = 0
  #breadth = 0

  /** `rarity`: 0 for a word that nobody wrote, else its idf by the largest one; `telling`: what it counts of a word. */
  count(kind: number, rarity: number, telling: number): void {
    if (kind === COMPOUND) return
    if (kind !== EXACT) this.#breadth += kind === PAIR ? HALF : telling
    if (kind === PART) return
    if (kind === EXACT) this.#unknownIdentifiers += rarity > 0 ? 0 : 1
    else if (rarity > 0) this.#known += Math.sqrt(rarity) * telling
    else this.#unknown += kind === PAIR ? HALF : telling
  }

  /** How many words the question asks for; an identifier counts by its parts. */
  get breadth(): number {
    return this.#breadth
  }

  get share(): number {
    const identifiers = Math.min(GRADES.unknownIdentifiersMax, this.#unknownIdentifiers)
    const unknown = this.#unknown + identifiers * GRADES.unknownIdentifier
    return unknown === 0 ? 1 : this.#known / (this.#known + unknown)
  }
}

function idfOf(docsWithTerm: number, docs: number): number {
  return Math.log(1 + (docs - docsWithTerm + 0.5) / (docsWithTerm + 0.5))
}

/** At most one term per bit, in the order of the query, so that sums are formed in one order everywhere. */
function chosen(known: readonly ScannedTerm[]): readonly ScannedTerm[] {
  if (known.length <= SCANNED_TERMS_MAX) return known
  const places = known.map((_, place) => place)
  places.sort((a, b) => rarity(known[b]) - rarity(known[a]) || a - b)
  const kept = new Set(places.slice(0, SCANNED_TERMS_MAX))
  return known.filter((_, place) => kept.has(place))
}

function rarity(term: ScannedTerm | undefined): number {
  if (term === undefined) return 0
  return term.isExact ? Number.MAX_VALUE : term.idf
}

function firstWindow(scans: readonly Scan[]): number {
  let first = -1
  for (const { cursor } of scans) {
    if (cursor.at === cursor.end) continue
    const window = (cursor.words[cursor.at] ?? 0) >>> (8 + WINDOW_SHIFT)
    if (first < 0 || window < first) first = window
  }
  return first
}
