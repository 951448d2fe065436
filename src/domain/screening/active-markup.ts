import { type Finding, findingOf } from './finding.ts'

// Markup that does something as soon as it is shown: a script with a call in it, an event handler with a call, an
// address that is code. A tag that is named, and markup shown as code, do nothing.

const LOOK = 240
/** A call: a bracket right after a name, an index or another call. */
const SCRIPT = /^<script\b[^<>]{0,80}>[^<]{0,120}?(?:[\w$\])]\(|script:)/i
const HANDLER =
  /^<[a-z][a-z0-9:-]{0,20}[\s/"'`](?:[^<>]{0,120}?[\s"'`/])?on[a-z]{3,20}=["'`]?[^<>{]{0,60}?[\w$\])]\(/i
const CODE_ADDRESS =
  /^<[a-z][a-z0-9:-]{0,20}[\s/"'`][^<>]{0,120}?=\s?["'`]?[^\w"'`<>]{0,8}(?:(?:java|vb)script\s?:|data\s?:\s?text\/html)/i
const NAME_MAX = 22
const AFTER_NAME = ' \t\n\v\f\r/"\'`>'
const FENCE = '```'

/** Linear: a bounded look at every tag. */
export function addActiveMarkup(findings: Finding[], text: string): void {
  const isFenced = fenceReader(text)
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (text.charCodeAt(at - 1) === 0x60 || !opensTag(text, at + 1)) continue
    const look = text.slice(at, at + LOOK)
    const match = SCRIPT.exec(look) ?? HANDLER.exec(look) ?? CODE_ADDRESS.exec(look)
    if (match === null || isFenced(at)) continue
    findings.push(findingOf('active_markup', at, at + match[0].length))
  }
}

/** Whether a name and something that can follow it in a tag stand there. */
function opensTag(text: string, from: number): boolean {
  let at = from
  while (at - from < NAME_MAX && isNameUnit(text.charCodeAt(at))) at += 1
  return at > from && AFTER_NAME.includes(text.charAt(at)) && at < text.length
}

function isNameUnit(code: number): boolean {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x3a) || code === 0x2d
}

/** Whether a place lies in a block of code, between two fences at the start of lines; asked for from left to right. */
function fenceReader(text: string): (at: number) => boolean {
  let open = -1
  let close = -1
  return (at) => {
    while (close < at && open !== Number.POSITIVE_INFINITY) {
      open = nextFence(text, close === -1 ? 0 : close + FENCE.length)
      close = nextFence(text, open + FENCE.length)
    }
    return open < at && at < close && close !== Number.POSITIVE_INFINITY
  }
}

function nextFence(text: string, from: number): number {
  for (let at = text.indexOf(FENCE, from); at !== -1; at = text.indexOf(FENCE, at + FENCE.length)) {
    if (at === 0 || text.charCodeAt(at - 1) === 0x0a) return at
  }
  return Number.POSITIVE_INFINITY
}
