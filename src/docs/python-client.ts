import { CONNECTION_ERRORS } from '../client/client-error.ts'
import { ROUTES } from '../client/routes.ts'
import { OPERATIONS } from '../contract/operations.ts'

/** Where the client for Python is, from the root of the project. */
export const PYTHON_CLIENT = 'clients/python/memgov.py'

/** The client for Python with what it says of operations as the contract has it now: between marks in its text. */
export function pythonClient(text: string): string {
  const between = (marked: string, name: string, indent: string, lines: readonly string[]): string => {
    const [begin, end] = [`# BEGIN ${name}\n`, `# END ${name}\n`]
    const [before, after] = [marked.indexOf(begin), marked.indexOf(end)]
    if (before < 0 || after < before) throw new Error(`${PYTHON_CLIENT} has no marks for ${name}`)
    const made = lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('')
    return `${marked.slice(0, before + begin.length)}${made}${indent}${marked.slice(after)}`
  }
  const withOperations = between(text, 'OPERATIONS', '', operationRows())
  const withErrors = between(withOperations, 'CONNECTION_ERRORS', '    ', errorRows())
  return between(withErrors, 'METHODS', '    ', methodRows())
}

function operationRows(): readonly string[] {
  return [
    'OPERATIONS = {',
    ...Object.entries(ROUTES).map(([name, [method, path, writes]]) => {
      return `    "${pythonName(name)}": ("${method}", "${path}", ${writes ? 'True' : 'False'}),`
    }),
    '}',
  ]
}

function errorRows(): readonly string[] {
  return Object.entries(CONNECTION_ERRORS).map(([code, meaning]) => `"${code}": "${meaning}",`)
}

function methodRows(): readonly string[] {
  return Object.values(OPERATIONS)
    .filter(({ name }) => Object.hasOwn(ROUTES, name))
    .flatMap(({ name, summary }, at) => [
      ...(at === 0 ? [] : ['']),
      `def ${pythonName(name)}(`,
      '    self, body: Mapping[str, Any] | None = None, /, *, timeout: float | None = None, **fields: Any',
      ') -> dict[str, Any]:',
      `    """${summary}."""`,
      `    return self._call("${pythonName(name)}", body, fields, timeout)`,
    ])
}

/** `list_skills` for `listSkills`. */
function pythonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
