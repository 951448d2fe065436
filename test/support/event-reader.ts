import { get, type IncomingMessage } from 'node:http'
import { OperatorEvent } from '../../src/contract/operator-events.ts'

export interface ReadEvent {
  readonly id: string | null
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

/** One reader of a stream of server-sent events, as a browser reads it. */
export class EventReader {
  readonly events: ReadEvent[] = []
  /** Everything that came, as it came. */
  raw = ''
  status = 0
  type = ''
  isEnded = false
  #rest = ''
  #response: IncomingMessage | null = null
  #wake: (() => void)[] = []

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    const reader = new EventReader()
    await new Promise<void>((resolve, reject) => {
      get(url, { headers, agent: false }, (response) => {
        reader.#take(response)
        resolve()
      }).on('error', reject)
    })
    return reader
  }

  /** Events that are no remarks about the stream. */
  get told(): readonly ReadEvent[] {
    return this.events.filter(({ id }) => id !== null)
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.isEnded) throw new Error(`the stream has ended: ${this.raw.slice(-400)}`)
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
  }

  async count(told: number): Promise<readonly ReadEvent[]> {
    await this.until(() => this.told.length >= told)
    return this.told
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await new Promise<void>((resolve) => this.#wake.push(resolve))
  }

  close(): void {
    this.#response?.destroy()
  }

  #take(response: IncomingMessage): void {
    this.#response = response
    this.status = response.statusCode ?? 0
    this.type = response.headers['content-type'] ?? ''
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      this.raw += text
      this.#rest += text
      const blocks = this.#rest.split('\n\n')
      this.#rest = blocks.pop() ?? ''
      for (const block of blocks) this.#read(block)
      this.#tell()
    })
    const end = () => {
      this.isEnded = true
      this.#tell()
    }
    response.on('end', end)
    response.on('close', end)
    response.on('error', end)
  }

  #read(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at), line.slice(at + 1).trimStart()] as const
      }),
    )
    const data = fields.get('data')
    if (data === undefined) return
    const event = { id: fields.get('id') ?? null, name: fields.get('event') ?? '', data: JSON.parse(data) }
    if (event.id !== null) OperatorEvent.parse(event.data)
    this.events.push(event)
  }

  #tell(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }
}
