import { readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'

/** A variable of a module that keeps something between two calls, or lets other modules change it. */
export interface Offence {
  /** `src/core/search/gather.ts: met` */
  readonly name: string
  readonly why: 'let' | 'object' | 'written' | 'escapes' | 'exported' | 'pattern'
}

/** Containers whose type allows writing. The read-only twins of Map, Set and Array are other types. */
const CONTAINERS =
  /^(?:Map|Set|WeakMap|WeakSet|Array|(?:Int|Uint|Float|BigInt|BigUint)\d+(?:Clamped)?Array|ArrayBuffer|DataView)$/
const WRITERS = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin setInt32 setUint32 setFloat64'.split(
    ' ',
  ),
)
/** Methods that hand out what the container holds. */
const GETTERS = new Set(['get', 'at', 'find'])

/**
 * The mutable state at the top level of the modules under `folder` of a project: a `let`, an instance of a class of the
 * project, a container that a function writes, that leaves its module as a mutable type, or that is handed on as one,
 * and a pattern that goes on where its last search ended. What statements at the top level write is a table that is filled at load, and no offence.
 */
export function moduleState(root: string, folder: string): readonly Offence[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => resolve(root, folder, file))
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  })
  const search = new Search(program.getTypeChecker(), root)
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? [])
  for (const source of sources) search.declare(source)
  for (const source of sources) search.visit(source)
  return search.offences()
}

class Search {
  readonly #checker: ts.TypeChecker
  readonly #root: string
  readonly #found = new Map<string, Offence>()
  /** The constants of all modules that hold a container or a pattern with a place. */
  readonly #held = new Map<ts.Symbol, { readonly name: string; readonly isPattern: boolean }>()
  /** How these are called anywhere: only of such a name is it worth asking what it means. */
  readonly #names = new Set<string>()

  constructor(checker: ts.TypeChecker, root: string) {
    this.#checker = checker
    this.#root = root
  }

  offences(): readonly Offence[] {
    return [...this.#found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  declare(source: ts.SourceFile): void {
    for (const statement of source.statements) {
      for (const name of renamedIn(statement)) this.#names.add(name)
      if (!ts.isVariableStatement(statement)) continue
      const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
      const isExported =
        statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
      for (const { name, initializer } of statement.declarationList.declarations) {
        for (const identifier of identifiersOf(name))
          this.#declareName(source, identifier, initializer, { isConst, isExported })
      }
    }
  }

  #declareName(
    source: ts.SourceFile,
    identifier: ts.Identifier,
    initializer: ts.Expression | undefined,
    { isConst, isExported }: { readonly isConst: boolean; readonly isExported: boolean },
  ): void {
    const name = `${relative(this.#root, source.fileName).split(sep).join('/')}: ${identifier.text}`
    const symbol = this.#checker.getSymbolAtLocation(identifier)
    if (symbol === undefined) return
    const isPattern =
      initializer !== undefined && /^(?:\/.*\/\w*[gy]|new RegExp\(.*'\w*[gy])/s.test(initializer.getText())
    if (!isConst) this.#add(name, 'let')
    else if (initializer !== undefined && this.#isOwnInstance(initializer)) this.#add(name, 'object')
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (isExported && this.#isMutable(type)) this.#add(name, 'exported')
    this.#held.set(symbol, { name, isPattern })
    this.#names.add(identifier.text)
  }

  visit(node: ts.Node): void {
    if (ts.isIdentifier(node) && this.#names.has(node.text)) this.#visitName(node)
    ts.forEachChild(node, (child) => this.visit(child))
  }

  #visitName(node: ts.Identifier): void {
    const held = this.#held.get(this.#symbolAt(node))
    if (held === undefined || ts.isImportSpecifier(node.parent) || isDeclared(node)) return
    const use = useOf(node)
    const isAtLoad = !isInFunction(node)
    if (held.isPattern) {
      if (use === 'searched' && !setsPlace(node)) this.#add(held.name, 'pattern')
      return
    }
    if (use === 'written' && (!isAtLoad || this.#isImported(node))) this.#add(held.name, 'written')
    if (use === 'handed on' && this.#isMutable(this.#checker.getTypeAtLocation(node)) && !isAtLoad) {
      const wanted = this.#checker.getContextualType(node)
      if (wanted === undefined || this.#isMutable(wanted)) this.#add(held.name, 'escapes')
    }
  }

  #add(name: string, why: Offence['why']): void {
    if (!this.#found.has(name)) this.#found.set(name, { name, why })
  }

  #symbolAt(node: ts.Identifier): ts.Symbol {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node)
    if (symbol === undefined) return NOTHING
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : this.#checker.getAliasedSymbol(symbol)
  }

  #isImported(node: ts.Identifier): boolean {
    const symbol = this.#checker.getSymbolAtLocation(node)
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
  }

  #isMutable(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((one) => this.#isMutable(one))
    if (this.#checker.isTupleType(type)) return !isReadonlyTuple(type)
    return CONTAINERS.test(type.getSymbol()?.name ?? '')
  }

  /** `new Foo()` of a class that is declared in the project: it may keep what it likes. */
  #isOwnInstance(initializer: ts.Expression): boolean {
    if (!ts.isNewExpression(initializer)) return false
    const declared = this.#checker.getTypeAtLocation(initializer).getSymbol()?.valueDeclaration
    return declared !== undefined && !declared.getSourceFile().isDeclarationFile
  }
}

const NOTHING: ts.Symbol = Object.create(null)

function identifiersOf(name: ts.BindingName): readonly ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? identifiersOf(element.name) : []))
}

/** The names that an import or export gives to what has another one. */
function renamedIn(statement: ts.Statement): readonly string[] {
  const bindings = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : ts.isExportDeclaration(statement)
      ? statement.exportClause
      : undefined
  if (bindings === undefined || !('elements' in bindings)) return []
  return bindings.elements.flatMap(({ name, propertyName }) =>
    propertyName === undefined ? [] : [name.text],
  )
}

function isReadonlyTuple(type: ts.Type): boolean {
  return 'target' in type && (type as ts.TupleTypeReference).target.readonly
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node
  return (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent)) && parent.name === node
}

function isInFunction(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent)
    if (ts.isFunctionLike(at) || ts.isClassDeclaration(at)) return true
  return false
}

/** What the expression around a name does with what the name holds. */
function useOf(name: ts.Identifier): 'written' | 'handed on' | 'searched' | 'read' {
  let node: ts.Expression = name
  for (;;) {
    const { parent } = node
    if (isTarget(node)) return node === name ? 'read' : 'written'
    if (ts.isNonNullExpression(parent) || ts.isParenthesizedExpression(parent)) node = parent
    else if (ts.isElementAccessExpression(parent) && parent.expression === node) node = parent
    else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
      const method = parent.name.text
      const isCalled = ts.isCallExpression(parent.parent) && parent.parent.expression === parent
      if (isCalled && WRITERS.has(method)) return 'written'
      if (isCalled && (method === 'exec' || method === 'test')) return 'searched'
      if (isCalled && !GETTERS.has(method)) return 'read'
      node = isCalled ? (parent.parent as ts.CallExpression) : parent
    } else {
      if (node !== name) return 'read'
      const isPassedOver =
        ts.isForOfStatement(parent) ||
        ts.isForInStatement(parent) ||
        ts.isSpreadElement(parent) ||
        ts.isSpreadAssignment(parent) ||
        ts.isTypeQueryNode(parent) ||
        ts.isExportSpecifier(parent) ||
        ts.isBinaryExpression(parent)
      return isPassedOver ? 'read' : 'handed on'
    }
  }
}

function isTarget(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    const kind = parent.operatorToken.kind
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
  }
  if (ts.isDeleteExpression(parent)) return true
  const isCounted = ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)
  return (
    isCounted &&
    (parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken)
  )
}

/** Whether the function around a search with a pattern says before it where the search begins. */
function setsPlace(node: ts.Identifier): boolean {
  let body: ts.Node = node
  while (!ts.isFunctionLike(body) && !ts.isSourceFile(body)) body = body.parent
  return body.getText().includes(`${node.text}.lastIndex = `)
}
