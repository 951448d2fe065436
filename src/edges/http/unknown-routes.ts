import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../core/base/errors.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}

/**
 * Answers a path that nothing is served under, or not by that method, with what to ask for instead.
 * @param page of the console; null: it is not served
 */
export function refuseUnknownRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  page: string | null,
): void {
  const methods = new Map<string, Set<string>>()
  const templates = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    path,
    parts: path.split('/'),
  }))
  const templateOf = (path: string): string => {
    const parts = path.split('/')
    return templates.find((each) => isOfTemplate(parts, each.parts))?.path ?? path
  }
  for (const { method, path } of routes) {
    const known = methods.get(path) ?? new Set<string>()
    methods.set(path, method === 'GET' ? known.add('GET').add('HEAD') : known.add(method))
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const known = methods.get(templateOf(path))
    if (known === undefined) {
      if (path === '/' && page !== null)
        throw new DomainError(
          'not_found',
          { path: page },
          `There is no page here: the operator console is at ${page}, and GET /openapi.json lists every path and method.`,
        )
      const meant = path.endsWith('/') ? path.slice(0, -1) : path
      if (!methods.has(templateOf(meant))) throw new DomainError('not_found')
      throw new DomainError(
        'not_found',
        { path: meant },
        `No such route: ask for ${meant}, without the slash at its end.`,
      )
    }
    void reply.header('allow', [...known].join(', '))
    throw new DomainError('method_not_allowed', { allowed: [...known] })
  })
}

function isOfTemplate(parts: readonly string[], template: readonly string[]): boolean {
  if (parts.length !== template.length) return false
  return template.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''))
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
