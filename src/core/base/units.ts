/** What a value counts for beside its text: thousands of small ones take as long. */
const VALUE_UNITS = 32

/** What is left of so many units of text behind a value of JSON; below 0: it has more, and no more of it was looked at. */
export function unitsLeft(value: unknown, units: number): number {
  if (typeof value === 'string') return units - VALUE_UNITS - value.length
  let left = units - VALUE_UNITS
  if (typeof value !== 'object' || value === null) return left
  if (Array.isArray(value)) {
    for (const item of value) {
      left = unitsLeft(item, left)
      if (left < 0) return left
    }
    return left
  }
  for (const name in value) {
    left = unitsLeft(Reflect.get(value, name), left - name.length)
    if (left < 0) return left
  }
  return left
}
