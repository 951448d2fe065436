import { ROUTES } from '../../client/routes.ts'
import { isObject } from '../json/json.ts'
import { type Answer, rowsOf, textOf } from './answer-fields.ts'
import { type Address, getJson, postJson, type Reply } from './query.ts'

/** The operations that the commands which read ask for. */
export type ReadName =
  | 'listActors'
  | 'searchMemories'
  | 'listGuides'
  | 'listExternal'
  | 'listReview'
  | 'flightRecorder'
  | 'blastRadius'

/** Asks a service, wherever it is. @throws ClientError when nobody answers */
export type Ask = (name: ReadName, fields: Readonly<Record<string, unknown>>) => Promise<Reply>

/** The most that one page holds. */
export const PAGE_ITEMS = 200

/** Refused by the service; the message is for a person. */
export class RefusedRead extends Error {
  readonly code: string | null

  constructor(body: Answer) {
    super(textOf(body, 'message') ?? 'The service refused the request.')
    this.code = textOf(body, 'error')
  }
}

/** Where it is read; what is left out is as in every request. */
export type Place = Readonly<Partial<Record<'tenant_id' | 'scope', string>>>

/** Asks for what is in one scope. */
export class Reader {
  readonly place: Place
  readonly #ask: Ask

  constructor(ask: Ask, place: Place) {
    this.#ask = ask
    this.place = place
  }

  /** The same in another scope of the tenant. */
  at(scope: string): Reader {
    return new Reader(this.#ask, { ...this.place, scope })
  }

  /** @throws RefusedRead, or ClientError when nobody answers */
  async page(name: ReadName, fields: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { isOk, body } = await this.#ask(name, { ...this.place, ...fields })
    if (!isOk) throw new RefusedRead(body)
    return body
  }

  /** Items of a list until there are so many, the list is at its end, or `isLast` says so. */
  async items(
    name: ReadName,
    fields: object,
    limit: number,
    isLast: (item: Answer) => boolean = () => false,
  ): Promise<{ readonly items: readonly Answer[]; readonly isCut: boolean }> {
    const items: Answer[] = []
    for (let cursor: string | null = null; ; ) {
      const wanted = Math.min(PAGE_ITEMS, limit - items.length)
      const page: Answer = await this.page(name, {
        ...fields,
        limit: wanted,
        ...(cursor === null ? {} : { cursor }),
      })
      for (const item of rowsOf(page, 'items')) {
        if (isLast(item)) return { items, isCut: false }
        items.push(item)
      }
      cursor = textOf(page, 'next_cursor')
      if (cursor === null || items.length >= limit) return { items, isCut: cursor !== null }
    }
  }
}

/** Whether a value is an answer, as far as it can be told. */
export function asReply(isOk: boolean, body: unknown): Reply {
  return { isOk, body: isObject(body) ? body : {} }
}

/** Asks a service that runs. */
export function askService(address: Address): Ask {
  return (name, fields) => {
    const [method, path] = ROUTES[name]
    return method === 'GET' ? getJson(address, path, fields) : postJson(address, path, fields)
  }
}
