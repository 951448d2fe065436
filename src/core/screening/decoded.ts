/** Text that another text holds in encoded form. */
export interface Decoded {
  readonly text: string
  readonly encoding: 'base64' | 'base32' | 'hex' | 'binary' | 'escapes' | 'rot13' | 'atbash' | 'reversed'
  /** Span in the outer text of the decoded span from `start` to `end`. */
  readonly spanOf: (start: number, end: number) => readonly [number, number]
}
