import type { Embedded } from './embedded.ts'

/** A scope of its own whose guides are replayed. Every request takes a second. */
export class RecorderScope {
  readonly embedded: Embedded
  readonly place: { readonly tenant_id: string; readonly scope: string }

  constructor(embedded: Embedded, scope: string) {
    this.embedded = embedded
    this.place = { tenant_id: 'recorder', scope }
  }

  async write(input_text: string, body: object = {}): Promise<string> {
    const { memory_ids: ids } = await this.embedded.ok('observe', { ...this.place, input_text, ...body })
    this.embedded.clock.advance(1000)
    return ids[0] ?? ''
  }

  async ask(body: object = {}) {
    const query = { ...this.place, query_text: 'how are releases tagged', ...body }
    const answer = await this.embedded.ok('guide', query)
    this.embedded.clock.advance(1000)
    return answer
  }

  async replay(body: object) {
    const answer = await this.embedded.ok('flightRecorder', { ...this.place, ...body })
    return answer.agent_flight_recorder
  }

  journal({ guide_trace_id }: { readonly guide_trace_id: string }) {
    return this.replay({ replay_source: 'journal', guide_trace_id })
  }
}
