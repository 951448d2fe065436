import { createClient, MemgovError } from './client.js'

// What a page of an application does with memgov/client. Each function answers in JSON, for the test that asks it.

const NOTHING = 'nothing was thrown'

async function thrown(call) {
  const error = await call.then(
    () => NOTHING,
    (reason) => reason,
  )
  if (!(error instanceof MemgovError)) return { name: error?.name, message: error?.message ?? error }
  const { name, code, status, details, requestId } = error
  return { name, code, status, details, isNamed: typeof requestId === 'string' && requestId !== '' }
}

async function loop(url, scope) {
  const memgov = createClient({ url })
  const { memory_ids } = await memgov.observe({ scope, input_text: 'Deploys go through staging first.' })
  const { agent_context, guide_trace_id } = await memgov.guide({ scope, query_text: 'deploy' })
  const { run_memory_id } = await memgov.finish({ scope, guide_trace_id, outcome: 'succeeded' })
  const { items } = await memgov.listMemories({ scope, limit: 200 })
  return {
    observed: memory_ids,
    shown: agent_context.memory_ids,
    finished: run_memory_id,
    listed: items.map((item) => item.memory_id),
  }
}

function refusals(url, scope) {
  const memgov = createClient({ url })
  return Promise.all([
    thrown(memgov.observe({ scope, execution: { outcom: 'failed' } })),
    thrown(memgov.rehydrate({ scope, memory_ids: ['no such'], reason: 'It was shown.' })),
  ])
}

function ended(silentUrl) {
  const memgov = createClient({ url: silentUrl })
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 20)
  return Promise.all([
    thrown(memgov.guide({ query_text: 'x' }, { timeoutMs: 50 })),
    thrown(memgov.guide({ query_text: 'x' }, { signal: stop.signal })),
    thrown(memgov.guide({ query_text: 'x' }, { signal: AbortSignal.timeout(20) })),
  ])
}

/** The first answer gets lost on its way. */
async function repeated(url, scope) {
  let sent = 0
  const losing = async (...args) => {
    sent += 1
    const answer = await fetch(...args)
    if (sent === 1) throw new TypeError('the connection broke')
    return answer
  }
  const { memory_ids } = await createClient({ url, fetch: losing }).observe({
    scope,
    input_text: 'Written once.',
  })
  const { items } = await createClient({ url }).listMemories({ scope })
  return { sent, observed: memory_ids, listed: items.map((item) => item.memory_id) }
}

function unheard(url, scope) {
  const memgov = createClient({ url, retries: 0 })
  return thrown(memgov.observe({ scope, input_text: 'From a page that may not ask.' }))
}

globalThis.ask = { loop, refusals, ended, repeated, unheard }
