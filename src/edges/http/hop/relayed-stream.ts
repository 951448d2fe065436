import type { IncomingMessage } from 'node:http'
import type { OperatorStream, StreamedEvent } from '../../../runtime/runtime.ts'

export const STREAM_TYPE = 'text/event-stream'

/** Events as the owner of the scope tells them. While nobody asks for the next one, they wait there. */
export class RelayedStream implements OperatorStream {
  readonly #response: IncomingMessage
  readonly #told: AsyncGenerator<readonly StreamedEvent[], void>
  #ended: OperatorStream['ended'] = null

  constructor(response: IncomingMessage) {
    this.#response = response
    this.#told = eventsIn(response)
  }

  get ended(): OperatorStream['ended'] {
    return this.#ended
  }

  /** However the owner ends, whoever comes back is led to the next one. */
  async next(): Promise<readonly StreamedEvent[] | null> {
    const { value } = await this.#told.next().catch(() => ({ value: undefined }))
    const told = (value ?? []).filter(({ name }) => name !== 'end')
    if (told.length > 0) return told
    this.#ended ??= 'not_owner'
    return null
  }

  close(): void {
    this.#response.destroy()
  }
}

/** Never none. */
async function* eventsIn(response: IncomingMessage): AsyncGenerator<readonly StreamedEvent[], void> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) {
    const blocks = `${text}${part}`.split('\n\n')
    text = blocks.pop() ?? ''
    const events = blocks.map(eventOf).filter((event) => event !== null)
    if (events.length > 0) yield events
  }
}

/** Null: a heartbeat, or when to come back. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return null
  const said: unknown = JSON.parse(data)
  return { id: fields.get('id') ?? null, name: fields.get('event') ?? '', data: Object(said) }
}
