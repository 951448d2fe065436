import { type Finding, findingOf } from './finding.ts'

// Pictures and links whose address is to be filled with what the reader knows: showing them sends it out.

const LOOK = 400
const PICTURE = /^(?:!\[[^\]\n]{0,120}\]\(|<img\s[^>]{0,120}src\s?=\s?["']?)\s?(https?:\/\/[^\s"'>]{1,240})/i
const HOLE = /[?&/=](?:[^&\s]{0,80}[{[<]|[^&\s]{0,80}%7B|[A-Z_]{6,}\b|[a-z_]{1,24}=$)/

/** Linear: a bounded look at every `![` and `<img`. */
export function addMarkup(findings: Finding[], text: string, query: string): void {
  for (const opening of ['![', '<img']) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + opening.length)) {
      const match = PICTURE.exec(text.slice(at, at + LOOK))
      const address = (match?.[1] ?? '').replace(/\)+$/, '')
      if (match === null || !HOLE.test(address) || query.includes(address.toLowerCase())) continue
      findings.push(findingOf('exfiltration', at, at + match[0].length))
    }
  }
}
