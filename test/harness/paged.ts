import type { Embedded, Place } from './embedded.ts'
import type { Answer } from './reply.ts'

export const place: Place = { tenant_id: 'reads', scope: 'desk' }

type Paged =
  | 'listActors'
  | 'searchMemories'
  | 'listGuides'
  | 'listExternal'
  | 'listReview'
  | 'countRules'
  | 'compareEffect'

/** Every item of a list, page by page; `between` runs before each page but the first. */
export async function paged<Name extends Paged>(
  real: Embedded,
  name: Name,
  body: object,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Answer<Name>['items'][number][]> {
  const items: Answer<Name>['items'][number][] = []
  let cursor: string | null = null
  do {
    if (cursor !== null) await between()
    const page: Answer<Name> = await real.ok(name, { ...body, ...(cursor === null ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

/** The id of a memory that is written. */
export async function observe(
  real: Embedded,
  text: string,
  memory: object = {},
  rest: object = {},
): Promise<string> {
  const body = { ...place, ...rest, input_text: text, memory: { kind: 'fact', ...memory } }
  return (await real.ok('observe', body)).memory_ids[0] ?? ''
}

export const idsOf = (items: readonly { readonly memory_id: string }[]) =>
  items.map(({ memory_id }) => memory_id)
