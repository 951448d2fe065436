import { systemClock } from '../../adapters/system/clock.ts'
import { systemEntropy } from '../../adapters/system/entropy.ts'
import { OPERATIONS, type RequestedName } from '../../contract/operations.ts'
import { DEFAULT_SCOPE, DEFAULT_TENANT } from '../../contract/shared-request.ts'
import { DomainError, messageOf } from '../../core/base/errors.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import type { Anywhere } from '../../edges/cli/arguments.ts'
import type { StoreChoice } from '../../edges/cli/flags.ts'
import { type Place, type Query, type Reply, runQuery } from '../../edges/cli/query.ts'
import { asReply, type ReadCommand, runRead } from '../../edges/cli/reads.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { composeView } from '../compose.ts'
import { storeUrlOf } from '../config/options.ts'
import { configOver } from '../config/store-choice.ts'
import { errorsOnly } from './offline-run.ts'

type Output = Parameters<typeof runRead>[2]
type View = Awaited<ReturnType<typeof composeView>>

const NO_CONTEXT = { requestId: 'command', operationId: null }

/**
 * `ls`, `show` and `tail` of a database, beside the nodes that serve from it. The exit code: 0 shown, 1 refused, 2 the database cannot
 * be read.
 */
export function readDatabase(store: StoreChoice, command: ReadCommand, output: Output): Promise<number> {
  return over(store, output, (view) => {
    const ask = (name: RequestedName, fields: object): Promise<Reply> => {
      // What nodes have written since.
      view.view.refresh()
      return asked(view, name, fields)
    }
    return runRead(command, ask, output)
  })
}

/** `explain` and `blast-radius`, in the same way. */
export function queryDatabase(
  store: StoreChoice,
  query: Query,
  anywhere: Anywhere | null,
  output: Omit<Output, 'next'>,
): Promise<number> {
  return over(store, output, (view) => {
    const places = () => placesIn(view, anywhere?.tenantId ?? null)
    const ask = (path: string, body: object) => asked(view, operationAt(path), body)
    return runQuery(ask, query, output, anywhere === null ? null : places)
  })
}

async function over(
  store: StoreChoice,
  output: Omit<Output, 'next'>,
  work: (view: View) => Promise<number>,
): Promise<number> {
  let view: View
  try {
    const config = configOver(store)
    const log = errorsOnly((line) => output.error(`memgov: ${visible(line)}\n`))
    const system = { clock: systemClock(), entropy: systemEntropy(), log }
    view = await composeView(config, system, storeUrlOf(config) ?? '')
  } catch (error) {
    output.error(`memgov: ${visible(messageOf(error))}\n`)
    return 2
  }
  try {
    return await work(view)
  } finally {
    await view.close()
  }
}

async function asked({ runtime }: View, name: RequestedName, fields: object): Promise<Reply> {
  try {
    return asReply(true, await runtime.execute(name, fields, NO_CONTEXT))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return asReply(false, { error: error.code, message: error.message })
  }
}

/** Every scope but the one that is asked first. */
async function placesIn({ view }: View, tenantId: string | null): Promise<readonly Place[]> {
  const places: Place[] = []
  for await (const key of view.actors()) {
    const place = partsOfActorKey(key)
    const isAsked = place.tenantId === (tenantId ?? DEFAULT_TENANT) && place.scope === DEFAULT_SCOPE
    if (isAsked || place.tenantId !== (tenantId ?? place.tenantId)) continue
    places.push({ tenant_id: place.tenantId, scope: place.scope })
  }
  return places
}

function operationAt(path: string): RequestedName {
  const name = NAMES.find((each) => OPERATIONS[each].path === path)
  if (name === undefined) throw new Error(`nothing is asked at ${path}`)
  return name
}

const NAMES = ['blastRadius', 'flightRecorder'] as const
