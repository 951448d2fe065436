import { beforeEach } from 'vitest'
import { type Embedded, startEmbedded } from './embedded.ts'

/** A scope whose guides are replayed, another one for each test of a file. Every request takes a second. */
export class RecorderScope {
  #embedded: Embedded | null = null
  #scopes = 0

  get embedded(): Embedded {
    if (this.#embedded === null) throw new Error('the service is started before each test')
    return this.#embedded
  }

  get place(): { readonly tenant_id: string; readonly scope: string } {
    return { tenant_id: 'recorder', scope: `scope ${this.#scopes}` }
  }

  async next(): Promise<void> {
    this.#embedded ??= await startEmbedded()
    this.#scopes += 1
  }

  readonly write = async (input_text: string, body: object = {}): Promise<string> => {
    const { memory_ids: ids } = await this.embedded.ok('observe', { ...this.place, input_text, ...body })
    this.embedded.clock.advance(1000)
    return ids[0] ?? ''
  }

  readonly ask = async (body: object = {}) => {
    const query = { ...this.place, query_text: 'how are releases tagged', ...body }
    const answer = await this.embedded.ok('guide', query)
    this.embedded.clock.advance(1000)
    return answer
  }

  readonly replay = async (body: object) => {
    const answer = await this.embedded.ok('flightRecorder', { ...this.place, ...body })
    return answer.agent_flight_recorder
  }

  readonly journal = ({ guide_trace_id }: { readonly guide_trace_id: string }) =>
    this.replay({ replay_source: 'journal', guide_trace_id })
}

/** To be called once by a test file */
export function useRecorderScope(): RecorderScope {
  const recorder = new RecorderScope()
  beforeEach(() => recorder.next())
  return recorder
}
