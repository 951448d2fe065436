import { DEFAULT_SCOPE } from '../../contract/shared-request.ts'
import { type Answer, rowsOf, textOf } from './answer-fields.ts'
import { blastRadiusText } from './blast-radius.ts'
import { explanation } from './explain.ts'
import { ClientError } from './query.ts'
import { externalText, guideText, memoryText, READ_TABLES } from './read-text.ts'
import { PAGE_ITEMS, Reader, RefusedRead } from './reader.ts'
import { safeJson } from './safe-json.ts'
import { type Paint, visible } from './terminal-text.ts'

/** What is shown whole. */
export type Sought =
  | { readonly show: 'one'; readonly id: string }
  | { readonly show: 'explain'; readonly guideTraceId: string }
  /** What it asks about, as the operation names it. */
  | { readonly show: 'blast-radius'; readonly subject: Readonly<Record<string, string>> }

export const TRACE_PREFIX = 'guide_trace:'

/** Scopes in which an id is looked for: each of them is loaded for it. */
const SEARCHED_MAX = 500

/** How the service says that an id is not there, or that the key must not look there. */
const UNKNOWN: readonly (string | null)[] = [
  'guide_trace_not_found',
  'memory_not_found',
  'tenant_forbidden',
  'scope_forbidden',
]

/**
 * The lines that show what is sought, where the reader looks or, when it `isAnywhere`, in the one scope of the tenant that has it.
 * `paint` is null for JSON.
 * @throws RefusedRead when nothing is known by the id; ClientError when nobody answers, several scopes have it or too many are to be asked
 */
export async function linesOfId(
  reader: Reader,
  sought: Sought,
  isAnywhere: boolean,
  paint: Paint | null,
): Promise<readonly string[]> {
  try {
    return await linesAt(reader, sought, paint)
  } catch (error) {
    if (!isAnywhere || !isUnknown(error)) throw error
    const found: { readonly scope: string; readonly lines: readonly string[] }[] = []
    for (const scope of await otherScopes(reader, error)) {
      try {
        found.push({ scope, lines: await linesAt(reader.at(scope), sought, paint) })
      } catch (elsewhere) {
        if (!isUnknown(elsewhere)) throw elsewhere
      }
    }
    const [only, ...others] = found
    if (only === undefined) {
      const { tenant_id } = reader.place
      const hint = `It is in no scope of the tenant ${tenant_id ?? 'default: name another by --tenant'}.`
      throw new RefusedRead({ message: `${error.message} ${hint}` })
    }
    if (others.length === 0) return only.lines
    const names = found.map(({ scope }) => scope)
    throw new ClientError(`Several scopes have it, name one by --scope: ${names.join(', ')}.`)
  }
}

function isUnknown(error: unknown): error is RefusedRead {
  return error instanceof RefusedRead && UNKNOWN.includes(error.code)
}

/** The scopes of the tenant but for the one that was asked. `unknown` is why they are wanted. */
async function otherScopes(reader: Reader, unknown: RefusedRead): Promise<readonly string[]> {
  const { items, isCut } = await reader.items('listActors', {}, SEARCHED_MAX).catch((error: unknown) => {
    if (!(error instanceof RefusedRead)) throw error
    throw new RefusedRead({ message: `${unknown.message} Name its scope by --scope: ${error.message}` })
  })
  if (isCut)
    throw new ClientError(`There are more than ${SEARCHED_MAX} scopes: name the one of the id by --scope.`)
  const { scope: asked = DEFAULT_SCOPE } = reader.place
  return items.map((item) => textOf(item, 'scope') ?? '').filter((scope) => scope !== asked)
}

async function linesAt(reader: Reader, sought: Sought, paint: Paint | null): Promise<readonly string[]> {
  switch (sought.show) {
    case 'one':
      return oneLines(reader, sought.id, paint)
    case 'explain': {
      const asked = { replay_source: 'journal', guide_trace_id: sought.guideTraceId }
      return shownAs(await reader.page('flightRecorder', asked), explanation, paint)
    }
    case 'blast-radius':
      return shownAs(await reader.page('blastRadius', sought.subject), blastRadiusText, paint)
  }
}

function shownAs<Item extends object>(
  item: Item,
  text: (item: Item, paint: Paint) => readonly string[],
  paint: Paint | null,
): readonly string[] {
  return paint === null ? [safeJson(item)] : text(item, paint)
}

/** A guide trace id says so itself. Any other id is that of a memory or, where there is none, of a memory of another store or a run. */
async function oneLines(reader: Reader, id: string, paint: Paint | null): Promise<readonly string[]> {
  if (id.startsWith(TRACE_PREFIX)) {
    const page = await reader.page('listGuides', { guide_trace_id: id })
    return rowsOf(page, 'items').flatMap((item) => shownAs(item, guideText, paint))
  }
  try {
    const page = await reader.page('searchMemories', { memory_id: id })
    return rowsOf(page, 'items').flatMap((item) => shownAs(item, memoryText, paint))
  } catch (error) {
    if (!(error instanceof RefusedRead) || error.code !== 'memory_not_found') throw error
  }
  const external = await reader.items('listExternal', { external_memory_id: id }, PAGE_ITEMS)
  if (external.items.length > 0) return external.items.flatMap((item) => shownAs(item, externalText, paint))
  const run = { run_id: id }
  const memories = await reader.items('searchMemories', run, PAGE_ITEMS)
  const guides = await reader.items('listGuides', run, PAGE_ITEMS)
  if (memories.items.length + guides.items.length === 0) {
    throw new RefusedRead({
      error: 'memory_not_found',
      message: `Nothing is known by ${id} in this scope: it names no memory, also of another store, no guide and no run.`,
    })
  }
  return shownAs({ run_id: id, memories: memories.items, guides: guides.items }, runText, paint)
}

interface RunParts {
  readonly run_id: string
  readonly memories: readonly Answer[]
  readonly guides: readonly Answer[]
}

function runText({ run_id, memories, guides }: RunParts, paint: Paint): readonly string[] {
  return [
    paint('bold', `Run ${visible(run_id)}`),
    '',
    ...READ_TABLES.guides(guides, paint),
    '',
    ...READ_TABLES.memories(memories, paint),
  ]
}
