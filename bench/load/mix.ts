import { mulberry32, sentence, zipfPlaces, zipfWords } from '../synthetic-text.ts'

const KINDS = ['guide', 'observe', 'feedback'] as const
export type Kind = (typeof KINDS)[number]

export interface MixedRequest {
  readonly kind: Kind
  readonly scope: string
  readonly body: object
}

/** What agents' hosts send: guides, observes and feedback on memory that a guide showed, some scopes far more than others. */
export interface Mix {
  readonly kinds: readonly Kind[]
  readonly scopes: readonly string[]
  /** A request of the mix; a guide where feedback is due and no guide has shown anything yet. */
  next(): MixedRequest
  /** An observe for a scope, to fill it. */
  observe(scope: string): object
  /** Whether the next answer of a guide is wanted: one in some is read. */
  wantsAnswer(): boolean
  /** What a guide showed. */
  learn(scope: string, answer: object): void
}

const GUIDE_SHARE = 0.7
const OBSERVE_SHARE = 0.2
const READ_ONE_IN = 4
const SHOWN_MAX = 2_000
const MEMORY_WORDS = 34
const QUERY_WORDS = 12
const ASKED_TEXTS = 40

interface Shown {
  readonly scope: string
  readonly guideTraceId: string
  readonly memoryId: string
  readonly runId: string
}

/** The same requests for the same seed, apart from what answers teach. */
export function agentMix(seed: number, scopeCount: number): Mix {
  const random = mulberry32(seed)
  const word = zipfWords(random)
  const place = zipfPlaces(random, scopeCount)
  const scopes = Array.from({ length: scopeCount }, (_, at) => `load-${at}`)
  const textsOf = new Map<string, string[]>(scopes.map((scope) => [scope, []]))
  const shown: Shown[] = []
  let made = 0
  let guides = 0
  const observe = (scope: string): object => {
    const text = sentence(random, word, MEMORY_WORDS)
    const texts = textsOf.get(scope)
    if (texts !== undefined && texts.length < ASKED_TEXTS) texts.push(text)
    made += 1
    return { scope, run_id: `run-${Math.floor(made / 5)}`, input_text: text }
  }
  const guide = (scope: string): object => {
    const texts = textsOf.get(scope) ?? []
    const words = (texts[Math.floor(random() * texts.length)] ?? sentence(random, word, MEMORY_WORDS)).split(
      ' ',
    )
    const from = Math.floor(random() * (words.length - QUERY_WORDS))
    made += 1
    return { scope, run_id: `run-${made}`, query_text: words.slice(from, from + QUERY_WORDS).join(' ') }
  }
  const feedback = ({ scope, guideTraceId, memoryId, runId }: Shown): object => ({
    scope,
    run_id: runId,
    reason: 'the run ended',
    outcome: random() < 0.8 ? 'positive' : 'negative',
    used_surface: 'explicit_host_assertion',
    guide_trace_id: guideTraceId,
    used_memory_ids: [memoryId],
  })
  return {
    kinds: KINDS,
    scopes,
    observe,
    next() {
      const scope = scopes[place()] ?? ''
      const drawn = random()
      if (drawn >= GUIDE_SHARE + OBSERVE_SHARE) {
        const known = shown[Math.floor(random() * shown.length)]
        if (known !== undefined) return { kind: 'feedback', scope: known.scope, body: feedback(known) }
      }
      if (drawn >= GUIDE_SHARE && drawn < GUIDE_SHARE + OBSERVE_SHARE) {
        return { kind: 'observe', scope, body: observe(scope) }
      }
      return { kind: 'guide', scope, body: guide(scope) }
    },
    wantsAnswer() {
      guides += 1
      return guides % READ_ONE_IN === 0
    },
    learn(scope, answer) {
      const context: unknown = Reflect.get(answer, 'agent_context')
      const ids: unknown = Reflect.get(Object(context), 'memory_ids')
      if (!Array.isArray(ids) || ids.length === 0) return
      const guideTraceId = String(Reflect.get(answer, 'guide_trace_id'))
      made += 1
      const known = { scope, guideTraceId, memoryId: String(ids[0]), runId: `run-${made}` }
      shown[shown.length < SHOWN_MAX ? shown.length : Math.floor(random() * SHOWN_MAX)] = known
    },
  }
}
