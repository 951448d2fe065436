// Email addresses, URLs and domain names, read from the first unit of a word. Look-ahead before an address is certain
// is bounded, and an address once certain is passed over as a whole: reading all of a text stays linear.

const HOST_MAX = 253
const SCHEME_MAX = 6
const SCHEME = /^(?:https?|ftp|wss?|s3|mailto|sftp)$/i
const TOP_LEVEL = new Set(
  'com net org io dev biz info xyz co ai app cloud site online ru cn tk me example test invalid onion gov edu uk de fr nl it es pl eu us ca au in jp br top shop click link live pro tech store'.split(
    ' ',
  ),
)

/** Whether letters and digits from `start` to `end` can begin an address, by the mark that follows them. */
export function mayBeAddress(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(end)
  if (code === 0x2e) return isHostUnit(text.charCodeAt(end + 1))
  return code === 0x40 || (code === 0x3a && end - start <= SCHEME_MAX)
}

/** Whether the unit may stand before the mark of an address, but not inside a word: `-`, `_`, `+`, `%`. */
export function isAddressJoint(code: number): boolean {
  return code === 0x2d || code === 0x5f || code === 0x2b || code === 0x25
}

/** The end of the units that may stand before the mark of an address. */
export function afterAddressStart(text: string, from: number): number {
  let at = from
  while (at < text.length && (isHostUnit(text.charCodeAt(at)) || isAddressJoint(text.charCodeAt(at)))) at += 1
  return at
}

/** Where the address that begins at `start` ends; -1 when the word there begins none. */
export function addressEnd(text: string, start: number): number {
  let at = start
  let isWord = true
  let lastDot = -1
  while (at - start <= HOST_MAX && at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x2e) {
      if (!isHostUnit(text.charCodeAt(at + 1))) break
      lastDot = at
      isWord = false
    } else if (code === 0x40) return at === start ? -1 : emailEnd(text, at)
    else if (code === 0x3a) {
      return isWord && at - start <= SCHEME_MAX && SCHEME.test(text.slice(start, at)) ? urlEnd(text, at) : -1
    } else if (code === 0x2b || code === 0x25 || code === 0x5f) isWord = false
    else if (!isHostUnit(code)) break
    at += 1
  }
  if (lastDot === -1 || at - start > HOST_MAX) return -1
  const isNamed = TOP_LEVEL.has(text.slice(lastDot + 1, at).toLowerCase())
  if (!isNamed && !/^www\./i.test(text.slice(start, start + 4))) return -1
  return text.charCodeAt(at) === 0x2f ? blankAfter(text, at) : at
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
