/** Cuts a stream of text into the values that its lines hold (newline-delimited JSON, as MCP has it on stdio). */
export class JsonLines {
  #rest = ''

  /** The values that this part of the stream completes; empty lines are none. Throws a SyntaxError for other text. */
  take(part: string): readonly unknown[] {
    const lines = (this.#rest + part).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line))
  }
}
