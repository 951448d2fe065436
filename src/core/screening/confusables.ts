// Letters of Cyrillic, Greek, Armenian and Cherokee that look like Latin ones, after folding to lower case, and the
// digits and signs that stand for letters. Source of the letters: Unicode Technical Standard 39, confusables.txt,
// the part that is confusable with a to z.

const PAIRS =
  'аa вb еe ёe ғf һh іi їi јj кk ӏl мm нh оo рp ԛq гr ѕs тt цu уy ѵv ԝw хx ԁd ɡg ɑa ɩi ı i ο o α a ν v ρ p τ t υ u ι i κ k χ x γ y η n ε e ω w ϲ c ϳ j ս u օ o հ h ո n ց g զ q յ j с c ɢg ʏy ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz'
const LOOK_ALIKE = new Map<string, string>()
{
  const letters = Array.from(PAIRS.replaceAll(' ', ''))
  for (let at = 0; at + 1 < letters.length; at += 2) LOOK_ALIKE.set(letters[at] ?? '', letters[at + 1] ?? '')
}

const LEET = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['@', 'a'],
  ['$', 's'],
])

const LATIN = /\p{Script=Latin}/u
const LETTERS = /\p{L}/gu

/** The word as it looks in Latin letters; `withDigits` also reads digits and signs as letters. */
export function skeletonOf(word: string, withDigits: boolean): string {
  let out = ''
  for (const character of word) {
    const latin = LOOK_ALIKE.get(character) ?? (withDigits ? LEET.get(character) : undefined)
    out += latin ?? character
  }
  return out
}

/**
 * Whether a folded word mixes Latin letters with look-alikes of another script: three letters or more, and every
 * letter that is not Latin has a Latin look-alike. A unit or a formula (`kΩ`, `μs`) is not.
 */
export function isMixedScript(word: string): boolean {
  const letters = word.match(LETTERS) ?? []
  const others = letters.filter((letter) => !LATIN.test(letter))
  const isMixed = letters.length >= 3 && others.length > 0 && others.length < letters.length
  return isMixed && others.every((letter) => LOOK_ALIKE.has(letter))
}
