import fc from 'fast-check'
import { test } from 'vitest'
import { startEmbedded } from '../harness/embedded.ts'
import { isolationCommands } from '../harness/isolation-commands.ts'
import { IsolationModel } from '../harness/isolation-model.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(40)

test('V6: no answer holds a text, name or id of another tenant or scope, or of a lane that its consumer cannot see', async () => {
  const real = await startEmbedded({ config: { durability: 'interval', residentActorsMax: 2 } })
  let runs = 0
  await prove(fc.commands(isolationCommands, { maxCommands: 40, size: 'max' }), async (commands) => {
    runs += 1
    const places = ['north', 'south'].flatMap((tenant) =>
      ['one', 'two'].map((scope) => ({ tenant_id: `${tenant}-${runs}`, scope })),
    )
    await fc.asyncModelRun(() => ({ model: new IsolationModel(places), real }), commands)
  })
})
