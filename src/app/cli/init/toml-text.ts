import { FileRefusal } from './refusal.ts'

// A TOML file is not read as such: what is ours is a block at its end, between two comments.

const BEGIN = '# Begin of what memgov init wrote.'
const END = '# End of what memgov init wrote.'

/** The text with a block more at its end. @throws FileRefusal when the block would change what stands before it */
export function withBlock(text: string, table: string, lines: readonly string[]): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  if (isOpen(text))
    throw new FileRefusal('is not valid TOML: a text of several lines has no end. Mend it first.')
  refuseOther(text, table)
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`
  return `${text}${gap}${[BEGIN, `[${table}]`, ...lines, END, ''].join(eol)}`
}

/** The text without the block. */
export function withoutBlock(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END, begin)
  if (begin < 0 || end < 0) return text
  const rest = text.slice(end + END.length).replace(/^\r?\n/, '')
  const before = text.slice(0, begin)
  return `${rest === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before}${rest}`
}

export function hasBlock(text: string): boolean {
  return text.includes(BEGIN)
}

/** TOML allows each table once, and nothing behind one that is written in braces. */
function refuseOther(text: string, table: string): void {
  const names = table.split('.')
  const header = new RegExp(
    `^[ \\t]*\\[[ \\t]*${names.map(quotable).join('[ \\t]*\\.[ \\t]*')}[ \\t]*[\\].]`,
    'm',
  )
  const inline = new RegExp(
    `^[ \\t]*${quotable(names[0] ?? '')}[ \\t]*(?:=|\\.[ \\t]*${quotable(names[1] ?? '')}\\b)`,
    'm',
  )
  if (header.test(text) || inline.test(text)) {
    throw new FileRefusal(`says something of ${table} that memgov init has not written: remove it first.`)
  }
}

function quotable(name: string): string {
  return `["']?${name}["']?`
}

/** True: the end of the text lies inside a text of several lines. */
function isOpen(text: string): boolean {
  const token = /#[^\n]*|"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g
  return [...text.matchAll(token)].some(
    ([found]) => /^(?:"""|''')/.test(found) && (found.length < 6 || found.slice(-3) !== found.slice(0, 3)),
  )
}
