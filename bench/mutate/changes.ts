import ts from 'typescript'

// Which changes are tried at a place. What a reader reads but no rule asks for is left out: sentences (a string with a
// space), templates, docs and logs, what is thrown or asserted, and functions and properties that hold a reason.

/** One change of one node. */
export type Change =
  | { readonly form: 'expression'; readonly kind: string; readonly text: string }
  | { readonly form: 'statement'; readonly kind: string; readonly text: string }
  | {
      readonly form: 'name'
      readonly kind: string
      readonly text: string
      /** The name as it stands. */
      readonly name: string
    }

const TOLD_ONLY = new Set(['law', 'reason', 'message', 'sentence', 'description', 'doc', 'title', 'says'])
const TOLD_CALLS = new Set(['assert', 'invalidRequest', 'DomainError'])
const K = ts.SyntaxKind

const SWAPPED = new Map<ts.SyntaxKind, string>([
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
])

/** True for a node whose inside is not mutated. */
export function isSkipped(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isThrowStatement(node)) return true
  if (ts.isFunctionDeclaration(node)) return /(Reason|Error|Message)$/.test(node.name?.text ?? '')
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) return TOLD_ONLY.has(node.name.text)
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) return TOLD_ONLY.has(node.name.text)
  if (ts.isCallExpression(node) || ts.isNewExpression(node))
    return ts.isIdentifier(node.expression) && TOLD_CALLS.has(node.expression.text)
  return ts.isTemplateExpression(node)
}

/** The changes of this very node, its parts not included. */
export function changesAt(node: ts.Node, constants: ReadonlySet<string>): readonly Change[] {
  const changes = ownChanges(node, constants)
  return isCondition(node) ? [...changes, ...conditionChanges(node)] : changes
}

function ownChanges(node: ts.Node, constants: ReadonlySet<string>): readonly Change[] {
  if (ts.isBinaryExpression(node)) return binaryChanges(node)
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken)
    return [expression('negation removed', node.operand.getText())]
  if (node.kind === K.TrueKeyword && isValue(node)) return [expression('boolean', 'false')]
  if (node.kind === K.FalseKeyword && isValue(node)) return [expression('boolean', 'true')]
  if (ts.isNumericLiteral(node) && isValue(node)) return aroundNumber(node.getText())
  if (ts.isIdentifier(node) && constants.has(node.text) && isValue(node)) return aroundNumber(node.text)
  if (ts.isStringLiteral(node) && isValue(node) && /^[a-z][a-z0-9_]*$/.test(node.text))
    return [expression('string', "''")]
  if (ts.isPropertyAccessExpression(node)) return methodChanges(node)
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression))
    return isSkipped(node.expression) ? [] : [{ form: 'statement', kind: 'call removed', text: ';' }]
  return []
}

function binaryChanges(node: ts.BinaryExpression): readonly Change[] {
  const [left, right] = [`(${node.left.getText()})`, `(${node.right.getText()})`]
  const operator = node.operatorToken.kind
  if (operator === K.QuestionQuestionToken)
    return [expression('?? left only', left), expression('?? right only', right)]
  const swapped = SWAPPED.get(operator)
  return swapped === undefined ? [] : [expression('operator', `${left} ${swapped} ${right}`)]
}

/** A negated equality is the swapped one already, so only other conditions are negated. */
function conditionChanges(node: ts.Expression): readonly Change[] {
  const isSwapped = ts.isBinaryExpression(node) && SWAPPED.has(node.operatorToken.kind)
  const isNegation = ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken
  const negated = isSwapped || isNegation ? [] : [expression('condition negated', `!(${node.getText()})`)]
  const isReturn = ts.isIfStatement(node.parent) && leaves(node.parent.thenStatement)
  return isReturn ? [...negated, expression('early return removed', 'false')] : negated
}

function methodChanges(node: ts.PropertyAccessExpression): readonly Change[] {
  const name = node.name.text
  if ((name !== 'some' && name !== 'every') || !ts.isCallExpression(node.parent)) return []
  return [{ form: 'name', kind: 'method', text: name === 'some' ? 'every' : 'some', name }]
}

function aroundNumber(text: string): readonly Change[] {
  const step = text.includes('.') ? '0.01' : '1'
  return [expression('number', `${text} + ${step}`), expression('number', `${text} - ${step}`)]
}

function expression(kind: string, text: string): Change {
  return { form: 'expression', kind, text }
}

function isCondition(node: ts.Node): node is ts.Expression {
  const { parent } = node
  if (ts.isIfStatement(parent)) return parent.expression === node
  return ts.isConditionalExpression(parent) && parent.condition === node
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  return last !== undefined && (ts.isReturnStatement(last) || ts.isContinueStatement(last))
}

/** The expression whose value `node` is the default of, when that is an element of a list: `list[at] ?? 0`. */
export function indexDefaultOf(node: ts.Node): ts.BinaryExpression | null {
  const { parent } = node
  if (ts.isBinaryExpression(node)) return isIndexed(node) ? node : null
  return ts.isBinaryExpression(parent) && parent.right === node && isIndexed(parent) ? parent : null
}

/** Every index may be out of bounds to the compiler, so each of these has a default, whether one is needed or not. */
function isIndexed({ left, right, operatorToken }: ts.BinaryExpression): boolean {
  if (operatorToken.kind !== K.QuestionQuestionToken) return false
  const isPlain = ts.isNumericLiteral(right) || ts.isStringLiteral(right) || right.kind === K.NullKeyword
  return isPlain && isElement(left)
}

function isElement(node: ts.Expression): boolean {
  if (ts.isElementAccessExpression(node)) return true
  return ts.isPropertyAccessExpression(node) && isElement(node.expression)
}

/** False for names: of properties, imports and declarations. */
function isValue(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isPropertyAccessExpression(parent) || ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node
  return !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent) && !ts.isBindingElement(parent)
}
