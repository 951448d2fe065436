/** Null, undefined and empty text all mean that a caller said nothing. */
export function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text
}

/** The first text that says something. */
export function firstOf(...texts: readonly (string | null | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && text !== null && text !== '') return text
  }
  return null
}

/** Every list in order, without empty items and repetitions. */
export function distinct(
  ...lists: readonly (readonly (string | null | undefined)[] | null | undefined)[]
): readonly string[] {
  const found = new Set<string>()
  for (const list of lists) {
    for (const item of list ?? []) if (item !== undefined && item !== null && item !== '') found.add(item)
  }
  return [...found]
}

/** A list without its empty items, repetitions kept: steps may repeat. */
export function filledItems(...lists: readonly (readonly string[] | null | undefined)[]): readonly string[] {
  return (lists.find((list) => (list ?? []).length > 0) ?? []).filter((item) => item !== '')
}
