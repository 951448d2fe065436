// Reading JSON that others wrote.

export type JsonObject = Readonly<Record<string, unknown>>

/** Undefined: the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
