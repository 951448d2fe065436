import ts from 'typescript'
import { type Change, changesAt, indexDefaultOf, isSkipped } from './changes.ts'

// A source file is rewritten once with all of its mutants in it, each behind a switch, so that one loaded module can
// be every mutant in turn: `a === b` becomes `(__mutant(7) ? (a !== b) : (a === b))`.

export interface Mutant {
  /** Unique within a run: `src/domain/x.ts#7`. */
  readonly id: string
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The text of that line. */
  readonly context: string
  readonly kind: string
  /** What is asked when the default of an index is taken that the mutant takes away or changes; null: it is of none. */
  readonly probe: string | null
  readonly original: string
  readonly mutated: string
}

export interface Switched {
  readonly mutants: readonly Mutant[]
  readonly text: string
}

const HEAD = 'const __mutant = globalThis.__memgovMutant ?? (() => false);\n'

/** All mutants of a source text and the text that holds them. Same text, same mutants with the same ids. */
export function switchedText(file: string, text: string): Switched {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const constants = numericConstants(source)
  const lines = text.split('\n')
  const mutants: Mutant[] = []

  const place = (node: ts.Node, change: Change): string => {
    const id = `${file}#${mutants.length + 1}`
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const original = oneLine(node.getText(source))
    const context = (lines[line] ?? '').trim()
    const { kind } = change
    const whole = kind === '?? right only' ? null : indexDefaultOf(node)
    const probe = whole === null ? null : probeOf(file, whole)
    mutants.push({ id, file, line: line + 1, context, kind, probe, original, mutated: oneLine(change.text) })
    return `__mutant(${JSON.stringify(id)})`
  }

  /** The text of a node with the switches of all that lies in it. */
  const render = (node: ts.Node, isDynamic: boolean): string => {
    if (isSkipped(node)) return text.slice(node.getFullStart(), node.end)
    const isGetter = !isDynamic && ts.isPropertyAssignment(node) && isPlainTable(node.initializer)
    const inside = isDynamic || isGetter || ts.isFunctionLike(node)
    const before = mutants.length
    const heads = inside
      ? changesAt(node, constants).map((change) => ({ change, at: place(node, change) }))
      : []
    let plain = ''
    let end = node.getFullStart()
    ts.forEachChild(node, (child) => {
      plain += text.slice(end, child.getFullStart()) + render(child, inside)
      end = child.end
    })
    plain += text.slice(end, node.end)
    if (isGetter && mutants.length > before) return getterText(node, plain)
    const lead = text.slice(node.getFullStart(), node.getStart(source))
    const whole = inside && !ts.isBinaryExpression(node) ? indexDefaultOf(node) : null
    if (whole !== null)
      plain = `${lead}(__mutant(${JSON.stringify(probeOf(file, whole))}), ${plain.slice(lead.length)})`
    return heads.reduceRight((rest, { change, at }) => {
      const body = rest.slice(lead.length)
      if (change.form === 'statement') return `${lead}{ if (!${at}) { ${body} } }`
      if (change.form === 'name') return lead + switchedName(body, change, at)
      return `${lead}(${at} ? (${change.text}) : (${body}))`
    }, plain)
  }

  const getterText = (node: ts.PropertyAssignment, plain: string): string => {
    const lead = text.slice(node.getFullStart(), node.getStart(source))
    const offset = plain.indexOf(':', lead.length + node.name.getWidth(source))
    return `${lead}get ${node.name.getText(source)}() { return (${plain.slice(offset + 1).trim()}); }`
  }

  const body = render(source, false)
  return { mutants, text: mutants.length === 0 ? text : HEAD + body }
}

function probeOf(file: string, whole: ts.BinaryExpression): string {
  return `${file}?${whole.getStart()}`
}

/** Top-level constants that hold a number: each use of one can be one more or one less. */
function numericConstants(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined && ts.isNumericLiteral(initializer))
        names.add(name.text)
    }
  }
  return names
}

/** A value that can be made anew at each read: words, numbers, lists and objects of them. */
function isPlainTable(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlainTable)
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (property) => ts.isPropertyAssignment(property) && isPlainTable(property.initializer),
    )
  return (
    ts.isStringLiteral(node) ||
    ts.isNumericLiteral(node) ||
    ts.isIdentifier(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  )
}

/** `list.some` as `list[__mutant(7) ? 'every' : 'some']`, in an optional chain too. */
function switchedName(body: string, { text, name }: Change & { form: 'name' }, at: string): string {
  const before = body.slice(0, body.lastIndexOf('.')).trimEnd()
  return `${before}${before.endsWith('?') ? '.' : ''}[${at} ? '${text}' : '${name}']`
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 100 ? line : `${line.slice(0, 97)}...`
}
