import { type Finding, findingOf } from './finding.ts'

// Pictures and links whose address is to be filled with what the reader knows: showing them sends it out.

const LOOK = 400
const PICTURE = /^(?:!\[[^\]\n]{0,120}\]\(|<img\s[^>]{0,120}src\s?=\s?["']?)\s?(https?:\/\/[^\s"'>]{1,240})/i
const ALT_MAX = 120
const HOLE_REACH = 80
/** A stand-in in capitals, or a parameter without a value at the end. */
const NAMED_HOLE = /[?&/=](?:[A-Z_]{6,}\b|[a-z_]{1,24}=$)/

/** Linear: a bounded look at every `![` and `<img`. */
export function addMarkup(findings: Finding[], text: string, query: string): void {
  let closed = -1
  for (let at = text.indexOf('!['); at !== -1; at = text.indexOf('![', at + 2)) {
    // Every mark before a far bracket would read up to it.
    if (closed <= at) closed = indexOrEnd(text, '](', at)
    if (closed - at <= ALT_MAX + 2) addPicture(findings, text, at, query)
  }
  for (let at = text.indexOf('<img'); at !== -1; at = text.indexOf('<img', at + 4)) {
    addPicture(findings, text, at, query)
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

function addPicture(findings: Finding[], text: string, at: number, query: string): void {
  const match = PICTURE.exec(text.slice(at, at + LOOK))
  const address = (match?.[1] ?? '').replace(/\)+$/, '')
  if (match === null || !hasHole(address) || query.includes(address.toLowerCase())) return
  findings.push(findingOf('exfiltration', at, at + match[0].length))
}

/** Whether a part of the address is to be filled in: a bracket soon after the mark of a part, or a named stand-in. */
function hasHole(address: string): boolean {
  let part = Number.NEGATIVE_INFINITY
  for (let at = 0; at < address.length; at++) {
    const unit = address.charAt(at)
    const isBracket = unit === '{' || unit === '[' || unit === '<' || address.startsWith('%7B', at)
    if (isBracket && at - part - 1 <= HOLE_REACH) return true
    if (unit === '?' || unit === '&' || unit === '/' || unit === '=') part = at
  }
  return NAMED_HOLE.test(address)
}
