// Email addresses, URLs and domain names. The units that a host name may be made of, up to the first that no host name
// holds, are read once for all words in them: reading all of a text stays linear.

const HOST_MAX = 253
const SCHEME_MAX = 6
const SCHEME = /^(?:https?|ftp|wss?|s3|mailto|sftp)$/i
const TOP_LEVEL = new Set(
  'com net org io dev biz info xyz co ai app cloud site online ru cn tk me example test invalid onion gov edu uk de fr nl it es pl eu us ca au in jp br top shop click link live pro tech store'.split(
    ' ',
  ),
)

/** Units that may stand before `@`, before `:` or in a host name, one after the other. Replaced as the reader moves on. */
export interface AddressRun {
  /** The first unit after it: `@`, `:`, or one that ends a host name. */
  end: number
  /** The last dot in it, -1 for none. */
  lastDot: number
  /** Where a mailbox that begins in it ends, -1 when `@` does not follow or nothing like a host follows that. */
  emailEnd: number
  /** Whether the last dot stands before a known top level. */
  isNamed: boolean
}

export function noAddressRun(): AddressRun {
  return { end: 0, lastDot: -1, emailEnd: -1, isNamed: false }
}

/** Whether a word that ends at `end` may begin an address, by the unit that follows it. */
export function mayBeAddress(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  if (code === 0x2e) return isHostUnit(text.charCodeAt(end + 1))
  return code === 0x40 || code === 0x3a || code === 0x2d || isJoint(code)
}

/** Where the address that begins at `start` ends; -1 when the word there begins none. `run` is of an earlier word. */
export function addressEnd(text: string, start: number, run: AddressRun): number {
  if (run.end <= start) readRun(text, start, run)
  const chars = run.end - start
  if (chars === 0 || chars > HOST_MAX) return -1
  const mark = text.charCodeAt(run.end)
  if (mark === 0x40) return run.emailEnd
  if (mark === 0x3a) {
    return chars <= SCHEME_MAX && SCHEME.test(text.slice(start, run.end)) ? urlEnd(text, run.end) : -1
  }
  if (run.lastDot < start) return -1
  if (!run.isNamed && !/^www\./i.test(text.slice(start, start + 4))) return -1
  return mark === 0x2f ? blankAfter(text, run.end) : run.end
}

function readRun(text: string, start: number, run: AddressRun): void {
  let at = start
  run.lastDot = -1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x2e && isHostUnit(text.charCodeAt(at + 1))) run.lastDot = at
    else if (!isHostUnit(code) && !isJoint(code)) break
  }
  run.end = at
  run.emailEnd = text.charCodeAt(at) === 0x40 ? emailEnd(text, at) : -1
  run.isNamed = run.lastDot !== -1 && TOP_LEVEL.has(text.slice(run.lastDot + 1, at).toLowerCase())
}

/** A unit that stands in the name of a mailbox, and in no host name. */
function isJoint(code: number): boolean {
  return code === 0x2b || code === 0x25 || code === 0x5f
}

function emailEnd(text: string, sign: number): number {
  let at = sign + 1
  let hasDot = false
  while (at - sign <= HOST_MAX && at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x2e) {
      if (!isHostUnit(text.charCodeAt(at + 1))) break
      hasDot = true
    } else if (!isHostUnit(code)) break
    at += 1
  }
  return hasDot && at - sign > 3 ? at : -1
}

function urlEnd(text: string, colon: number): number {
  const isMail = text.slice(colon - 6, colon).toLowerCase() === 'mailto'
  return isMail || text.startsWith('://', colon) ? blankAfter(text, colon) : -1
}

function blankAfter(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e || code === 0x60)
      break
    if (code === 0x29 || code === 0x5d || code === 0x7d || code === 0x7c || code >= 0x2000) break
    at += 1
  }
  while (at > from + 1 && '.,;:!?'.includes(text.charAt(at - 1))) at -= 1
  return at
}

function isHostUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2d
}
