import { createSpanIndex, NOT_LISTED } from '../screening/span-index.ts'
import { classAt, DENSE } from '../text/unicode.ts'
import { canonicalText, normaliseText } from './canonical-text.ts'
import { isConcordNegation, isNegation, wordSet, wordsOf } from './fact-words.ts'
import { type Reading, readText, sharedShare, subjectOf } from './reading.ts'
import type { Statement } from './statement.ts'

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

// Words by which a text says that something known is no longer so, in English, German, French, Spanish, Portuguese,
// Russian, Chinese and Japanese. A `*` in a phrase is any one word.

export type CueFamily = 'supersedes' | 'invalidates' | 'contradicts'

export interface Cue {
  readonly words: string
  readonly family: CueFamily
}

/** The different correction cues of a text, in order; `reading` is its own. A negated cue is none. */
export function correctionCues(text: string, reading: Reading): readonly Cue[] {
  const found = new Map<string, Cue>()
  for (const { words } of reading.statements) {
    for (const [at, word] of words.entries()) {
      const cue = phraseAt(words, at) ?? singleAt(words, at, word) ?? contextualAt(words, at, word)
      if (cue !== null && !found.has(cue.words)) found.set(cue.words, cue)
    }
  }
  for (const [words] of canonicalText(text).matchAll(DENSE_CUES))
    if (!found.has(words)) found.set(words, { words, family: 'supersedes' })
  return [...found.values()]
}

/**
 * False when a text certainly holds no cue: a look at its words where they stand, many times cheaper than reading it. True
 * for every text that is more than plain ASCII. Linear.
 */
export function mayHaveCue(text: string): boolean {
  let begun = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (!isLetter(code)) {
      if (!isPlain(code)) return true
      at += 1
      continue
    }
    const start = at
    // Nothing is read beyond the end: the engine would take a slow path for every unit from then on.
    do at += 1
    while (at < text.length && isLetter(text.charCodeAt(at)))
    const number = CUE_INDEX.numberOfAscii(text, start, at)
    if (number === NOT_LISTED) continue
    const part = CUE_PARTS[number]
    if (part === undefined || part.isWhole || (part.ends & begun) !== 0) return true
    begun |= part.begins
  }
  return false
}

/** The different words of a text that point to an earlier state: `previously`, `bisher`. */
export function priorCues(statements: readonly Statement[]): readonly string[] {
  return [...new Set(statements.flatMap(({ words }) => words.filter((word) => PRIOR.has(word))))]
}

const phrases = (all: string): readonly string[] =>
  all
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')

const SINGLES: ReadonlyMap<string, CueFamily> = new Map([
  ...wordsOf(`
    corrected correction corrects revised updated superseded supersedes replaced replaces
    korrigiert korrektur berichtigt überarbeitet aktualisiert ersetzt
    corrigé corrigée rectifié rectifiée révisé révisée remplacé remplacée
    corregido corregida corrección revisado revisada actualizado actualizada reemplazado reemplazada sustituido
    corrigido corrigida correção atualizado atualizada substituído substituída
    исправлено исправлена исправлен исправление уточнено обновлено обновлена обновлён обновлен заменено заменена заменён
    заменен`).map((word): [string, CueFamily] => [word, 'supersedes']),
  ...wordsOf('invalidated invalidates').map((word): [string, CueFamily] => [word, 'invalidates']),
  ...wordsOf('contradicted contradicts widerlegt contredit contradice contradiz опровергнуто').map(
    (word): [string, CueFamily] => [word, 'contradicts'],
  ),
])

const PHRASES: ReadonlyMap<string, readonly (Cue & { readonly parts: readonly string[] })[]> = phrasesByFirst(
  [
    ...phrases(`
    no longer, not anymore, not any more, later evidence, newer evidence, new evidence, mis à jour, mise à jour, neue
    erkenntnisse, nicht mehr, ne plus, ne * plus, nouvelle preuve, ya no, nueva evidencia, já não, não mais, больше не,
    новые данные`).map((words): Cue => ({ words: words.replace(/\s+/g, ' '), family: 'supersedes' })),
    ...phrases(`
    do not use, don't use, dont use, stop using, nicht verwenden, nicht benutzen, ne pas utiliser, ne * pas utiliser, ne
    utilisez pas, no usar, no use, no utilizar, não usar, não use, не использовать, не используйте`).map(
      (words): Cue => ({ words: words.replace(/\s+/g, ' '), family: 'invalidates' }),
    ),
    ...phrases('counter evidence, contrary to').map((words): Cue => ({ words, family: 'contradicts' })),
  ],
)

const CONTEXTUAL = wordSet(`
    obsolete outdated stale wrong failed deprecated invalid incorrect
    veraltet veraltete überholt falsch falsche ungültig obsolète erroné erronée invalide faux
    obsoleto obsoleta erróneo errónea incorrecto incorrecta inválido errado errada
    устарел устарела устарело устаревший устаревшее неверно неверный ошибочно`)
const INVALID = wordSet(
  'wrong invalid incorrect falsch falsche ungültig erroné erronée invalide faux erróneo incorrecto неверно неверный',
)
/** What can be obsolete or wrong so that older memory about it is. */
const PLANS = wordSet(`
    route plan decision approach path method strategy workflow procedure instruction instructions guidance advice note
    memory claim statement assumption documentation docs config configuration setting information value answer
    weg entscheidung ansatz vorgehen methode anleitung angabe annahme konfiguration
    décision approche méthode chemin procédure consigne hypothèse
    ruta decisión enfoque método instrucción nota rota decisão abordagem procedimento
    план решение подход путь метод маршрут инструкция`)
const CONTEXT_WORDS = 4
const NEGATED_WITHIN_WORDS = 3

const PRIOR = wordSet(`
    previous previously earlier prior formerly former old older original originally initially initial legacy before
    vorher vorherige früher frühere alte alter alten bisher bisherige ursprünglich
    précédent précédente précédemment ancien ancienne auparavant
    anterior anteriormente antes antiguo antigua previo previa antigo antiga
    раньше ранее прежний прежняя прежнее предыдущий предыдущая старый старая старое`)

const DENSE_CUES =
  /更正|修正|订正|訂正|不再|已更新|更新为|取代|替换为|不要使用|已废弃|已作废|もはや|使わない|使用しない|置き換え|더 이상/g

function phrasesByFirst(
  cues: readonly Cue[],
): ReadonlyMap<string, readonly (Cue & { readonly parts: readonly string[] })[]> {
  const byFirst = new Map<string, (Cue & { readonly parts: readonly string[] })[]>()
  for (const cue of cues) {
    const parts = cue.words.split(' ')
    const first = parts[0] ?? ''
    const known = byFirst.get(first) ?? []
    known.push({ ...cue, parts })
    byFirst.set(first, known)
  }
  return byFirst
}

function phraseAt(words: readonly string[], at: number): Cue | null {
  const known = PHRASES.get(words[at] ?? '')
  if (known === undefined) return null
  return known.find(({ parts }) => parts.every((part, offset) => isPart(part, words[at + offset]))) ?? null
}

function isPart(part: string, word: string | undefined): boolean {
  return word !== undefined && (part === '*' || part === word)
}

function singleAt(words: readonly string[], at: number, word: string): Cue | null {
  const family = SINGLES.get(word)
  return family === undefined || isNegatedAt(words, at) ? null : { words: word, family }
}

function contextualAt(words: readonly string[], at: number, word: string): Cue | null {
  if (!CONTEXTUAL.has(word) || isNegatedAt(words, at)) return null
  const around = words.slice(Math.max(0, at - CONTEXT_WORDS), at + CONTEXT_WORDS + 1)
  if (!around.some((near) => PLANS.has(near))) return null
  return { words: word, family: INVALID.has(word) ? 'invalidates' : 'supersedes' }
}

/** A negation that is part of a cue itself (`no longer used, replaced by …`) negates no other. */
function isNegatedAt(words: readonly string[], at: number): boolean {
  for (let before = Math.max(0, at - NEGATED_WITHIN_WORDS); before < at; before += 1) {
    const word = words[before] ?? ''
    if ((isNegation(word) || isConcordNegation(word)) && phraseAt(words, before) === null) return true
  }
  return false
}

/** What `mayHaveCue` looks for: a run of letters of which a cue consists, whatever joins or surrounds it. */
interface CuePart {
  /** A cue, or a word that may be one beside others. */
  isWhole: boolean
  /** Phrases by their first words, a bit each: those that begin with this run, and those that may end with it. */
  begins: number
  ends: number
}

const PARTS_BY_RUN: ReadonlyMap<string, CuePart> = cueParts()
const CUE_INDEX = createSpanIndex([...PARTS_BY_RUN.keys()])
const CUE_PARTS: readonly CuePart[] = [...PARTS_BY_RUN.values()]

function cueParts(): ReadonlyMap<string, CuePart> {
  const parts = new Map<string, CuePart>()
  const partOf = (word: string | undefined): CuePart | null => {
    // A word with other letters stands in no text of ASCII; of `don't` the first run counts.
    const run = /^[a-z]+(?![^'])/.exec(word ?? '')?.[0]
    if (run === undefined) return null
    const part = parts.get(run) ?? { isWhole: false, begins: 0, ends: 0 }
    parts.set(run, part)
    return part
  }
  for (const word of [...SINGLES.keys(), ...CONTEXTUAL]) {
    const part = partOf(word)
    if (part !== null) part.isWhole = true
  }
  // Beyond 31 first words a bit stands for several, which only makes the look less sharp.
  for (const [place, [first, cues]] of [...PHRASES].entries()) {
    // `n'est` is read as `ne est`.
    for (const begin of [partOf(first), first === 'ne' ? partOf('n') : null])
      if (begin !== null) begin.begins |= 1 << place
    for (const cue of cues) {
      const end = partOf(cue.parts.at(-1))
      if (end !== null) end.ends |= 1 << place
    }
  }
  return parts
}

function isLetter(code: number): boolean {
  const small = code | 0x20
  return small >= 0x61 && small <= 0x7a
}

/** As canonical text leaves it, the back quote apart, which is read as a quote. */
function isPlain(code: number): boolean {
  return code === 0x0a || (code >= 0x20 && code <= 0x7e && code !== 0x60)
}
