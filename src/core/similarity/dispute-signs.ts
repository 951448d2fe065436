// Signs between words and within them.

const BREAKS = /[,()[\]{}]| - | -- |\u2026|\.\.\.|\uff0c|\u3001/u
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/
const NAMING = /[_/@#]|::|\\/
/** A folder of a year is a place, not one thing among many. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g
const CURRENCY = /^[€£¥₽]$/

/** Whether what stands between two words parts a sentence. */
export function isBreak(between: string): boolean {
  return BREAKS.test(between)
}

/** `en-GB` */
export function isLocale(word: string): boolean {
  return LOCALE.test(word)
}

/** Has a sign that names have, and other words not. */
export function hasNameSign(word: string): boolean {
  return NAMING.test(word)
}

/** Has a number of three digits or more, which is no year. */
export function hasLongNumber(word: string): boolean {
  return /\d{3}/.test(word.replace(YEAR, ''))
}

/** The sign behind a number: `5 €` is `5€`. */
export function signBehind(text: string, end: number): string {
  const sign = text.charAt(end + 1)
  return text.charAt(end) === ' ' && CURRENCY.test(sign) ? sign : text.charAt(end)
}
