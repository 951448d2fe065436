// What one UTF-16 unit may do inside a line that an agent reads. Hidden characters are removed, because text that a
// person cannot see must not reach an agent; every kind of line break is a break, because a line is what a section,
// a heading and an id are made of.

export type CharacterRole = 'keep' | 'space' | 'break' | 'drop'

/** The role of a unit outside the surrogate range. */
export function roleOfUnit(code: number): CharacterRole {
  if (code < 0x7f) {
    if (code > 0x20) return 'keep'
    if (code === 0x20 || code === 0x09) return 'space'
    return code >= 0x0a && code <= 0x0d ? 'break' : 'drop'
  }
  if (code < 0xa0) return code === 0x85 ? 'break' : 'drop'
  if (code < 0x300) return code === 0xa0 ? 'space' : code === 0xad ? 'drop' : 'keep'
  return code < 0x2000 ? roleBelowPunctuation(code) : roleAbovePunctuation(code)
}

/** The role of a code point above U+FFFF. */
export function roleOfPair(codePoint: number): CharacterRole {
  // Tags and the second block of variation selectors; invisible musical controls; shorthand format controls.
  if (codePoint >= 0xe0000 && codePoint <= 0xe0fff) return 'drop'
  if (codePoint >= 0x1d173 && codePoint <= 0x1d17a) return 'drop'
  return codePoint >= 0x1bca0 && codePoint <= 0x1bca3 ? 'drop' : 'keep'
}

function roleBelowPunctuation(code: number): CharacterRole {
  if (code === 0x34f || code === 0x61c || code === 0x115f || code === 0x1160) return 'drop'
  if (code === 0x17b4 || code === 0x17b5 || (code >= 0x180b && code <= 0x180f)) return 'drop'
  return code === 0x1680 ? 'space' : 'keep'
}

function roleAbovePunctuation(code: number): CharacterRole {
  if (code <= 0x206f) {
    if (code <= 0x200a) return 'space'
    if (code <= 0x200f) return 'drop'
    if (code === 0x2028 || code === 0x2029) return 'break'
    if (code >= 0x202a && code <= 0x202e) return 'drop'
    if (code === 0x202f || code === 0x205f) return 'space'
    return code >= 0x2060 ? 'drop' : 'keep'
  }
  if (code === 0x3000) return 'space'
  if (code === 0x3164 || code === 0xfeff || code === 0xffa0) return 'drop'
  if (code >= 0xfe00 && code <= 0xfe0f) return 'drop'
  return code >= 0xfff0 && code <= 0xfffb ? 'drop' : 'keep'
}
