/** Where FNV-1a begins (Fowler, Noll, Vo; 32 bits, public domain), and the factor of each step. */
export const FNV_START = 0x811c9dc5
export const FNV_PRIME = 0x01000193

/** FNV-1a over the UTF-16 units of a part of a text, from another hash where there is one. 32 bits with a sign. */
export function hashText(text: string, from: number = FNV_START, start = 0, end = text.length): number {
  let hash = from
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash
}

/** Spreads a 32-bit number over all 32 bits (the finaliser of MurmurHash3, public domain). */
export function mix32(number: number): number {
  let mixed = number ^ (number >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
