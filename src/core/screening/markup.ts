import { type Finding, findingOf } from './finding.ts'
import { matchesIn } from './matches.ts'

// Pictures and links whose address is to be filled with what the reader knows: showing them sends it out.

const ADDRESS = /\s?(https?:\/\/[^\s"'>]{1,240})/
/** Where the text of a picture ends, and its address. */
const TEXT_END = new RegExp(`\\](?=(\\(${ADDRESS.source}))`, 'gi')
/** Begins a picture whose text ends where the units end. */
const TEXT_START = /!\[(?=[^\]\n]*$)/g
/** Units of `![` and the text behind it. */
const TEXT_MAX = 122
const TAG = new RegExp(`<img(?=(\\s[^>]{0,120}src\\s?=\\s?["']?${ADDRESS.source}))`, 'gi')
/** A bracket soon after the mark of a part, a stand-in in capitals, or a parameter without a value at the end. */
const HOLE = /[?&/=](?:[^?&/=]{0,80}(?:[{[<]|%7B)|[A-Z_]{6,}\b|[a-z_]{1,24}=$)/

/** Linear: a bounded look at every address behind a text, and at every `<img`. */
export function addMarkup(findings: Finding[], text: string, query: string): void {
  for (const { index: textEnd, 1: rest = '', 2: address = '' } of matchesIn(text, TEXT_END)) {
    if (!isToBeFilled(address, query)) continue
    // Looked for from here backwards: many marks before a far bracket would each read up to it.
    const before = text.slice(Math.max(0, textEnd - TEXT_MAX), textEnd)
    for (const { index } of matchesIn(before, TEXT_START)) {
      const start = textEnd - before.length + index
      findings.push(findingOf('exfiltration', start, textEnd + 1 + rest.length))
    }
  }
  for (const { index, 0: tag, 1: rest = '', 2: address = '' } of matchesIn(text, TAG)) {
    if (isToBeFilled(address, query))
      findings.push(findingOf('exfiltration', index, index + tag.length + rest.length))
  }
}

function isToBeFilled(address: string, query: string): boolean {
  const plain = address.replace(/\)+$/, '')
  return HOLE.test(plain) && !query.includes(plain.toLowerCase())
}
