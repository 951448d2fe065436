import { classAt, DENSE } from '../text/unicode.ts'
import { normaliseText } from './canonical-text.ts'
import { type CueFamily, correctionCues, mayHaveCue, priorCues } from './correction-cues.ts'
import { type Reading, readText, sharedShare, subjectOf } from './reading.ts'

/** Whether a newer text takes back an older one, and why. */
export interface Correction {
  readonly corrects: boolean
  /** 0 to 1, in thousandths; 0 when there is no cue or the texts are not related. */
  readonly confidence: number
  /** The correction cues of the newer text, then its words for an earlier state. */
  readonly cues: readonly string[]
  readonly relation: CueFamily
}

/** Least confidence of a correction. */
export const CORRECTION_MIN = 0.7

/** Share of the smaller text's content words that the other must have, unless paths relate them. */
const SUBJECT_SHARE_MIN = 0.4

/** Whether a text says that something known is no longer so; only such a text can correct another one. */
export function hasCorrectionCue(text: string): boolean {
  return mayHaveCue(text) && correctionCues(text, readText(text)).length > 0
}

/**
 * Whether `newer` corrects `older`, for two general memories of which the caller knows the order. The texts must be
 * related: three content words in common, or a path, or two words and either rival paths or a word for an earlier state; and, unless paths relate them, 40 % of
 * the words of the smaller text.
 */
export function corrects(newer: string, older: string): Correction {
  const reading = readText(newer)
  const cues = correctionCues(newer, reading)
  const prior = cues.length === 0 ? [] : priorCues(reading.statements)
  const named = [...cues.map((cue) => cue.words), ...prior]
  const relation = FAMILIES.find((family) => cues.some((cue) => cue.family === family)) ?? 'supersedes'
  const none = { corrects: false, confidence: 0, cues: named, relation }
  if (cues.length === 0 || normaliseText(newer) === normaliseText(older)) return none
  const relatedness = relate(reading, readText(older))
  if (!isRelated(relatedness, prior.length)) return none
  const thousandths = scoreOf(relatedness, cues.length, prior.length)
  return {
    corrects: thousandths >= CORRECTION_MIN * 1_000,
    confidence: thousandths / 1_000,
    cues: named,
    relation,
  }
}

/** The strongest first. */
const FAMILIES: readonly CueFamily[] = ['contradicts', 'invalidates', 'supersedes']

interface Relatedness {
  readonly words: number
  readonly paths: number
  readonly hasRivalPaths: boolean
  readonly share: number
}

function isRelated({ words, paths, hasRivalPaths, share }: Relatedness, prior: number): boolean {
  if (share < SUBJECT_SHARE_MIN && paths === 0 && !hasRivalPaths) return false
  return words >= 3 || paths > 0 || (words >= 2 && (hasRivalPaths || prior > 0))
}

/** In thousandths, so that no sum misses the threshold by a rounding. */
function scoreOf({ words, paths, hasRivalPaths }: Relatedness, cues: number, prior: number): number {
  const SAME_DOMAIN_AND_NEWER = 40 + 60
  return Math.min(
    1_000,
    420 +
      SAME_DOMAIN_AND_NEWER +
      Math.min(180, 60 * cues) +
      Math.min(100, 40 * prior) +
      Math.min(140, 25 * words) +
      Math.min(120, 60 * paths) +
      (hasRivalPaths ? 80 : 0),
  )
}

function relate(newer: Reading, older: Reading): Relatedness {
  const left = pathsOf(newer)
  const right = pathsOf(older)
  const paths = [...left].filter((path) => right.has(path)).length
  return {
    words: sharedWords(newer, older),
    share: sharedShare(subjectOf(newer), subjectOf(older)),
    paths,
    hasRivalPaths: paths === 0 && haveRivals(left, right),
  }
}

/** Content words and names in common, paths aside; three pairs of characters count as two words. */
function sharedWords(newer: Reading, older: Reading): number {
  const known = subjectOf(older)
  let words = 0
  let pairs = 0
  for (const word of subjectOf(newer)) {
    if (!known.has(word) || isPath(word)) continue
    if (classAt(word, 0) === DENSE) pairs += 1
    else words += 1
  }
  return words + Math.floor((pairs * 2) / 3)
}

function pathsOf(reading: Reading): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { identifiers } of reading.statements)
    for (const name of identifiers) if (isPath(name)) paths.add(name.replace(/^[./~-]+/, ''))
  return paths
}

function isPath(name: string): boolean {
  return !name.includes('@') && (name.includes('/') || /\.\p{L}\w{0,5}$/u.test(name))
}

/** Whether one text names another file of a folder of the other, or a file of the same name in another one. */
function haveRivals(paths: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const folders = new Set([...others].map(folderOf))
  const files = new Set([...others].map(fileOf))
  return [...paths].some(
    (path) => files.has(fileOf(path)) || (folderOf(path) !== '' && folders.has(folderOf(path))),
  )
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
