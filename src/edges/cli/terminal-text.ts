/** What a terminal would act on or hide: control and format characters, halves of pairs, and separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The text on one line, with every character that a terminal does not simply show written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** The same, with a dash for no text. */
export function shown(text: string | null): string {
  return text === null ? '-' : visible(text)
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const
export type Colour = keyof typeof CODES

/** Puts text into a colour, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

export function paintFor(isColoured: boolean): Paint {
  return (colour, text) => (isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text)
}

/** Columns as wide as they must be, two spaces apart. The last one may be of any width; texts must be visible. */
export function columns(
  rows: readonly (readonly string[])[],
  paintRow: (row: number, line: string) => string = (_row, line) => line,
): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row, index) => {
    const line = row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
    return `  ${paintRow(index, line.trimEnd())}`
  })
}

/** A heading with its lines; one line of `none` when there are none. */
export function section(
  paint: Paint,
  title: string,
  lines: readonly string[],
  none = 'None.',
): readonly string[] {
  return ['', paint('bold', title), ...(lines.length === 0 ? [`  ${none}`] : lines)]
}

/** In the order in which their counts are told. */
export const SURFACES = ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use'] as const

const SURFACE_COLOURS: Readonly<Record<string, Colour>> = {
  use_now: 'green',
  inspect_before_use: 'yellow',
  rehydrate: 'dim',
  do_not_use: 'red',
}

export function paintSurface(paint: Paint, surface: string | null | undefined, line: string): string {
  const colour = SURFACE_COLOURS[surface ?? '']
  return colour === undefined ? line : paint(colour, line)
}
