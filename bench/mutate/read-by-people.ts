// What people read and no rule asks for is not mutated: sentences, templates, what is thrown or asserted, and functions
// and properties that hold a reason.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

interface Named {
  readonly name?: string
}

/** The fields of a syntax tree's node that are asked for here; each kind of node has some of them. */
interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly key?: Named
  readonly id?: Named | null
  readonly callee?: Named
}

declare module '@stryker-mutator/api/ignore' {
  interface NodePath {
    readonly node: SyntaxNode
  }
}

const REASONS = new Set(['law', 'reason', 'message', 'sentence', 'description', 'doc', 'title', 'says'])
const REASON_CALLS = new Set(['assert', 'invalidRequest', 'DomainError'])
const REASON_FUNCTION = /(Reason|Error|Message)$/
/** A word of the contract or of the journal; any other string is a sentence. */
const WORD = /^[a-z][a-z0-9_]*$/

function isReadByPeople({ type, value, key, id, callee }: SyntaxNode): boolean {
  if (type === 'ThrowStatement' || type === 'TemplateLiteral') return true
  if (type === 'StringLiteral') return typeof value === 'string' && !WORD.test(value)
  if (type === 'FunctionDeclaration') return REASON_FUNCTION.test(id?.name ?? '')
  if (type === 'ObjectProperty') return REASONS.has(key?.name ?? '')
  if (type === 'VariableDeclarator') return REASONS.has(id?.name ?? '')
  if (type === 'CallExpression' || type === 'NewExpression') return REASON_CALLS.has(callee?.name ?? '')
  return false
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'read-by-people', {
    shouldIgnore: ({ node }) => (isReadByPeople(node) ? 'people read it' : undefined),
  }),
]
