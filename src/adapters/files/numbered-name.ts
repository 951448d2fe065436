const DIGITS = 16

/** Names that say a number in 16 hex digits between the same two parts, so that a folder listing is in its order. */
export function numberedNames(start: string, end: string) {
  const length = start.length + DIGITS + end.length
  return {
    nameOf: (number: number): string => `${start}${number.toString(16).padStart(DIGITS, '0')}${end}`,
    numberOf: (name: string): number | null => {
      if (name.length !== length || !name.startsWith(start) || !name.endsWith(end)) return null
      const digits = name.slice(start.length, start.length + DIGITS)
      return /^[0-9a-f]+$/.test(digits) ? Number.parseInt(digits, 16) : null
    },
  }
}
