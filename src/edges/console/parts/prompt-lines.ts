// The prompt is told apart by its grammar (docs/reference/prompt.md): `## ` opens a section, `[id] ` or `[m1] ` a line.
// Text of memory cannot forge either.

export interface PromptLine {
  readonly text: string
  readonly kind: 'heading' | 'memory' | 'plain'
  /** Of a memory what stands in the brackets. */
  readonly name: string | null
}

export function promptLines(prompt: string): readonly PromptLine[] {
  return prompt.split('\n').map((text) => {
    if (text.startsWith('## ')) return { text: text.slice(3), kind: 'heading', name: null }
    const name = /^\[([^\]\s]+)\] /.exec(text)?.[1] ?? null
    return {
      text: name === null ? text : text.slice(name.length + 3),
      kind: name === null ? 'plain' : 'memory',
      name,
    }
  })
}
