// What a single word tells. Words of the first group carry the fact itself: losing one changes what a memory says.

/** 4 negation · 3 identifier, number or outcome · 2 name · 1 other content · 0 filler. */
export type WordWeight = 0 | 1 | 2 | 3 | 4

export const NEGATION: WordWeight = 4
export const TELLING: WordWeight = 3
export const NAME: WordWeight = 2
export const CONTENT: WordWeight = 1
export const FILLER: WordWeight = 0

const list = (words: string): readonly string[] => words.split(' ')

const WEIGHTS: ReadonlyMap<string, WordWeight> = new Map([
  ...list(
    'a an the of to in on at for and is are was were be been being that this these those which who with by as it its we i ' +
      'you they he she so very just also really there here then than has have had do does did will would could should can may ' +
      'might our your their about into from over',
  ).map((word): [string, WordWeight] => [word, FILLER]),
  ...list(
    'not no never none neither nor without cannot cant dont doesnt didnt wont isnt arent wasnt werent shouldnt except ' +
      'unless instead avoid only nicht kein keine keinen keiner nie niemals ohne pas jamais sans aucun nunca sin ninguno ' +
      'não nem non mai senza не нет ни никогда без niet geen nooit zonder',
  ).map((word): [string, WordWeight] => [word, NEGATION]),
  ...list(
    'failed fails fail failure failing succeeded succeeds success passed passes pass passing broken broke breaks error errors ' +
      'blocked fixed fixes works worked crash crashed crashes timeout reverted rejected regressed interrupted deprecated ' +
      'obsolete stale wrong must required forbidden always superseded corrected fehlgeschlagen erfolgreich échoué réussi',
  ).map((word): [string, WordWeight] => [word, TELLING]),
])

const CJK_NEGATION = /[不没沒無无未否非別别勿]|ない|ません|않|없/u

/** The weight of the word at [start, end) of a text; `opens`: it is the first of its sentence. */
export function weightOfWord(text: string, start: number, end: number, opens: boolean): WordWeight {
  let from = start
  let to = end
  // A leading dot belongs to the word: `.env`.
  while (from < to && text.charCodeAt(from) !== 0x2e && isWrapping(text.charCodeAt(from))) from += 1
  while (to > from && isWrapping(text.charCodeAt(to - 1))) to -= 1
  if (from === to) return FILLER
  const shape = shapeOf(text, from, to)
  if (shape === TELLING && to - from > 16) return TELLING
  const word = text.slice(from, to)
  const known = WEIGHTS.get(word.toLowerCase())
  if (known !== undefined) return known
  if (isContractedNegation(word)) return NEGATION
  if (shape === NAME) return opens ? CONTENT : NAME
  if (shape === CONTENT && text.charCodeAt(from) > 0x2e7f && CJK_NEGATION.test(word)) return NEGATION
  return shape
}

function isContractedNegation(word: string): boolean {
  const end = word.length
  return end > 3 && word.charCodeAt(end - 1) === 0x74 && /n['’]t$/u.test(word)
}

/** Telling for identifiers and numbers, name for a leading capital, filler for signs alone, else content. */
function shapeOf(text: string, from: number, to: number): WordWeight {
  let capitals = 0
  let isJoined = false
  let isSpelled = false
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) return TELLING
    if (isJoiner(code)) isJoined = true
    else if (code !== 0x2d) isSpelled = true
    if (code >= 0x41 && code <= 0x5a) {
      capitals += 1
      // A capital after a small letter, or two in a row: camelCase, PascalCase, ERROR_CODE.
      if (at > from && capitals > (at - from === 1 ? 1 : 0)) return TELLING
    }
  }
  if (!isSpelled) return FILLER
  if (isJoined || text.charCodeAt(from) === 0x2d) return TELLING
  return capitals === 1 ? NAME : CONTENT
}

/** Signs that stand inside paths, symbols, flags, addresses and assignments. */
function isJoiner(code: number): boolean {
  if (code >= 0x23 && code <= 0x26) return true // # $ % &
  if (code === 0x2a || code === 0x2b || code === 0x2e || code === 0x2f || code === 0x3a) return true // * + . / :
  if (code >= 0x3c && code <= 0x3e) return true // < = >
  if (code === 0x40 || code === 0x5c || (code >= 0x5e && code <= 0x60)) return true // @ \ ^ _ `
  return code === 0x7c || code === 0x7e // | ~
}

/** Punctuation around a word that is no part of it. */
function isWrapping(code: number): boolean {
  if (code === 0x22 || code === 0x27 || code === 0x28 || code === 0x29 || code === 0x2c) return true // " ' ( ) ,
  if (code === 0x2e || code === 0x3a || code === 0x3b || code === 0x21 || code === 0x3f) return true // . : ; ! ?
  return (
    code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d || code === 0x3001 || code === 0x3002
  )
}
