// A bare Fastify with its own JSON parser and serialiser: a route takes any body and sends one fixed object. The first
// message says what to answer where; every later one asks for its vitals.
import process from 'node:process'
import { fastify } from 'fastify'
import { watchVitals } from './vitals.ts'

process.once('message', (answers) => {
  void listen(new Map(Object.entries(answers as Readonly<Record<string, string>>)))
})

async function listen(answers: ReadonlyMap<string, string>): Promise<void> {
  const app = fastify()
  for (const [path, text] of answers) {
    const answer: unknown = JSON.parse(text)
    app.post(path, () => answer)
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(url)
  const tell = watchVitals()
  process.on('message', () => process.send?.(tell()))
}
