import { systemClock } from '../../adapters/system/clock.ts'
import { systemEntropy } from '../../adapters/system/entropy.ts'
import type { RequestedName } from '../../contract/operations.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { StoreChoice } from '../../edges/cli/flags.ts'
import type { Reply } from '../../edges/cli/query.ts'
import { type ReadCommand, runRead } from '../../edges/cli/reads.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { composeView } from '../compose.ts'
import { storeUrlOf } from '../config/options.ts'
import { configOver } from '../config/store-choice.ts'
import { errorsOnly } from './offline-run.ts'
import { NO_CONTEXT, replyTo } from './read-folder.ts'

type Output = Parameters<typeof runRead>[2]
type View = Awaited<ReturnType<typeof composeView>>

/**
 * Commands that read, of a database, beside the nodes that serve from it. The exit code: 0 shown, 1 refused, 2 the database cannot
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

function asked({ runtime }: View, name: RequestedName, fields: object): Promise<Reply> {
  return replyTo(runtime.execute(name, fields, NO_CONTEXT))
}
