import type { MemoryType } from '../base/closed-sets.ts'

// What a text about work says of itself: that the approach it tells of failed, is out of date, or is disputed. A hint
// is evidence only, so such a text is never used directly, whatever its source marks it as. The cues are English.
//
// A cue counts when it is said of the text's own subject: after a noun of work ("the approach in src/a.ts failed"), a
// pronoun ("this is obsolete") or nothing ("Rejected by review."), or right before such a noun ("a stale workflow").
// It does not count when it is denied ("never failed"), put as a condition ("if the run failed") or said of something
// else ("the fix for failed logins").

export type SelfClaim = 'negative' | 'stale' | 'contested'

const words = (list: string): readonly string[] => list.split(' ')
const cuesOf = (claim: SelfClaim, list: string): readonly (readonly [string, SelfClaim])[] =>
  words(list).map((word) => [word, claim])

/** Said of a subject, or before a noun. */
const CUES: ReadonlyMap<string, SelfClaim> = new Map([
  ...cuesOf('negative', 'failed rejected invalidated abandoned refuted disproved retired'),
  ...cuesOf('stale', 'stale outdated obsolete superseded'),
  ...cuesOf('contested', 'contested contradicted disputed'),
])
/** Only before a noun: `the legacy route`. */
const ADJECTIVES: ReadonlyMap<string, SelfClaim> = new Map([
  ...cuesOf('stale', 'older legacy'),
  ...cuesOf('contested', 'conflicting'),
])
const SUBJECTS: ReadonlySet<string> = new Set(
  words(
    'approach approaches route routes attempt attempts fix branch workflow workflows procedure plan path solution step ' +
      'steps run patch change strategy workaround playbook direction candidate memory method note entry guidance ' +
      'recipe instructions status outcome result verdict',
  ),
)
const PRONOUNS: ReadonlySet<string> = new Set(words('this it that these they'))
const DENIALS: ReadonlySet<string> = new Set(words('not never no neither nor without cannot hardly'))
const CONDITIONS: ReadonlySet<string> = new Set(words('if when whenever unless until once should'))
/** What may follow a cue that is said of its subject; another word after it is what the cue describes. */
const FOLLOWERS: ReadonlySet<string> = new Set(
  words(
    'and or but because since as so on in at by for from with after before during due under over to then again twice ' +
      'already repeatedly completely entirely always every both now here there while where which it this the',
  ),
)
const OUTLIVED: ReadonlySet<string> = new Set(
  words('valid works work applies apply current true used supported holds accepted recommended'),
)
/** Read before any word: most texts hold none of these. */
const MAY_CLAIM =
  /fail|reject|invalidat|abandon|refut|disprov|retired|counter-?\s?evidence|dead[ -]end|accepted|stale|outdated|obsolete|supersed|older|legacy|longer|previous round|contest|conflict|contradict|disput|inspect before/i
const PHRASES: readonly (readonly [RegExp, SelfClaim])[] = [
  [/\bdead[ -]end\b/i, 'negative'],
  [/\bcounter-?\s?evidence\b/i, 'negative'],
  [/\bprevious round\b/i, 'stale'],
  [/\binspect before (?:re)?use\b/i, 'contested'],
]
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}'’_./-]*|[.!?;:,\n]/gu

/** Words between a subject and the cue said of it. */
const SUBJECT_REACH = 10
const PRONOUN_REACH = 4
const DENIAL_REACH = 3

/** The first thing a text says against itself, null when it says nothing. Linear in the text. */
export function selfClaimOf(text: string): SelfClaim | null {
  if (!MAY_CLAIM.test(text)) return null
  for (const [phrase, claim] of PHRASES) if (phrase.test(text)) return claim
  const reader = new ClaimReader()
  for (const [token] of text.matchAll(TOKEN)) {
    // A stop at the end of a word ends the sentence; one inside belongs to a path or a number.
    const isEnding = token.length > 1 && token.endsWith('.')
    const found = reader.read(isEnding ? token.slice(0, -1) : token) ?? (isEnding ? reader.read('.') : null)
    if (found !== null) return found
  }
  return reader.read('.')
}

/** Where one sentence stands: distances are counted in words, `NEVER` words ago means not in this sentence. */
class ClaimReader {
  #at = 0
  #subjectAt = NEVER
  #pronounAt = NEVER
  #denialAt = NEVER
  #isConditional = false
  #opens = true
  /** A cue that waits for the word after it. */
  #pending: { readonly claim: SelfClaim; readonly isSaid: boolean } | null = null
  #previous = ''

  /** Takes the next word or mark; a claim once it is certain. */
  read(token: string): SelfClaim | null {
    const word = token.toLowerCase()
    const isMark = MARKS.includes(word)
    const settled = this.#settle(word, isMark)
    if (settled !== null) return settled
    if (isMark) {
      this.#passMark(word)
      return null
    }
    this.#at += 1
    this.#pending = this.#cueOf(word)
    if (SUBJECTS.has(word)) this.#subjectAt = this.#at
    else if (PRONOUNS.has(word)) this.#pronounAt = this.#at
    else if (DENIALS.has(word) || /n['’]t$/u.test(word)) this.#denialAt = this.#at
    else if (CONDITIONS.has(word)) this.#isConditional = true
    this.#previous = word
    this.#opens = false
    return null
  }

  #settle(word: string, isMark: boolean): SelfClaim | null {
    const pending = this.#pending
    this.#pending = null
    if (pending === null) return null
    if (!isMark && SUBJECTS.has(word)) return pending.claim
    const stands = isMark || FOLLOWERS.has(word) || word.endsWith('ly')
    return pending.isSaid && stands ? pending.claim : null
  }

  #cueOf(word: string): { readonly claim: SelfClaim; readonly isSaid: boolean } | null {
    if (this.#isConditional) return null
    const isDenied = this.#at - this.#denialAt <= DENIAL_REACH
    const isSaid =
      this.#opens ||
      this.#at - this.#subjectAt <= SUBJECT_REACH ||
      this.#at - this.#pronounAt <= PRONOUN_REACH
    if (isDenied) {
      // "not accepted", "no longer valid": the denial makes the claim.
      if (word === 'accepted' && this.#previous === 'not' && isSaid) return { claim: 'negative', isSaid }
      const isOutlived = this.#previous === 'longer' && OUTLIVED.has(word)
      return isOutlived && isSaid ? { claim: 'stale', isSaid } : null
    }
    const said = CUES.get(word)
    if (said !== undefined) return { claim: said, isSaid }
    const adjective = ADJECTIVES.get(word)
    return adjective === undefined ? null : { claim: adjective, isSaid: false }
  }

  #passMark(mark: string): void {
    if (mark === ':') return
    this.#isConditional = false
    if (mark === ',') return
    this.#subjectAt = NEVER
    this.#pronounAt = NEVER
    this.#denialAt = NEVER
    this.#opens = true
  }
}

const NEVER = Number.NEGATIVE_INFINITY
const MARKS: readonly string[] = ['.', '!', '?', ';', ':', ',', '\n']

const EXECUTION_TYPES: ReadonlySet<MemoryType> = new Set(['procedure', 'execution_memory'])
const EXEMPT_TYPES: ReadonlySet<MemoryType> = new Set(['fact', 'preference', 'project_context'])
const REPOSITORY_PATH =
  /(?:^|[^\p{L}\p{N}_/.-])(?:src|tests?|docs?|lib|packages|apps|scripts|bin)\/[\p{L}\p{N}_@.-]/u

/** True for a text about work: a procedure, with files, or with a repository path. Facts and preferences never are. */
export function isAboutWork(
  text: string,
  declaredType: MemoryType | null,
  isProcedure: boolean,
  hasFiles: boolean,
): boolean {
  if (declaredType !== null && EXEMPT_TYPES.has(declaredType)) return false
  if (isProcedure || hasFiles || (declaredType !== null && EXECUTION_TYPES.has(declaredType))) return true
  return REPOSITORY_PATH.test(text)
}
