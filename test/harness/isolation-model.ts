import type { Place } from './embedded.ts'

/** Who asks, as a request says it. */
export interface Eyes {
  readonly agent: string
  readonly team: string | null
}

/** Lane and owners, as a request says them. */
export interface Lanes {
  readonly memory_lane?: 'private' | 'shared'
  readonly owner_agent_id?: string
  readonly owner_team_id?: string
}

/** Who may see a thing: an own reading of the visibility rule, apart from the code under test. */
export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'owners'; readonly agent: string | null; readonly team: string | null }
  | { readonly kind: 'consumer'; readonly eyes: Eyes }

export function audienceOf(lanes: Lanes): Audience {
  const { memory_lane: lane, owner_agent_id: agent = null, owner_team_id: team = null } = lanes
  const isPrivate = lane === 'private' || (lane === undefined && agent !== null && team === null)
  if (!isPrivate && team === null) return { kind: 'everyone' }
  return { kind: 'owners', agent: isPrivate && agent === null && team === null ? 'local-agent' : agent, team }
}

export function sees(eyes: Eyes, audience: Audience): boolean {
  switch (audience.kind) {
    case 'everyone':
      return true
    case 'owners':
      return (
        (audience.agent !== null && audience.agent === eyes.agent) ||
        (audience.team !== null && audience.team === eyes.team)
      )
    case 'consumer':
      return audience.eyes.agent === eyes.agent && audience.eyes.team === eyes.team
  }
}

/** One place where a mark or id stands, and who may see it there. */
interface Known {
  readonly place: Place
  readonly audience: Audience
}

export interface KnownMemory {
  readonly id: string
  readonly audience: Audience
}

export interface KnownGuide {
  readonly traceId: string
  readonly eyes: Eyes
  readonly memoryIds: readonly string[]
}

interface PlaceState {
  readonly memories: KnownMemory[]
  readonly guides: KnownGuide[]
  readonly clientIds: string[]
  /** What agents wrote: somebody may send the same words. */
  readonly texts: string[]
  readonly runIds: string[]
}

/** `text…` stands in words of an agent, `name…` in ids that an agent gave. */
const MARK = /\b(?:text|name)\d+q\b/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What every place holds and who may see it; finds what an answer should not hold. */
export class IsolationModel {
  readonly places: readonly Place[]
  readonly #states = new Map<Place, PlaceState>()
  readonly #known = new Map<string, Known[]>()
  #marks = 0

  constructor(places: readonly Place[]) {
    this.places = places
    for (const place of places) {
      this.#states.set(place, { memories: [], guides: [], clientIds: [], texts: [], runIds: [] })
    }
  }

  at(place: Place): PlaceState {
    const state = this.#states.get(place)
    if (state === undefined) throw new Error('a place of another model')
    return state
  }

  /** A new mark: part of a text or of a name. */
  mark(kind: 'text' | 'name'): string {
    this.#marks += 1
    return `${kind}${this.#marks}q`
  }

  /** Every mark and id in a text may be seen by this audience as well. */
  share(place: Place, text: string, audience: Audience): void {
    for (const [token] of [...text.matchAll(MARK), ...text.matchAll(UUID)]) {
      const known = this.#known.get(token)
      if (known === undefined) this.#known.set(token, [{ place, audience }])
      else known.push({ place, audience })
    }
  }

  addMemory(place: Place, id: string, audience: Audience): void {
    if (!this.at(place).memories.some((memory) => memory.id === id)) {
      this.at(place).memories.push({ id, audience })
    }
    this.share(place, id, audience)
  }

  audienceOfMemory(place: Place, id: string): Audience | null {
    return this.at(place).memories.find((memory) => memory.id === id)?.audience ?? null
  }

  /**
   * Marks and ids of an answer that none of these eyes may see and that the request did not hold either. An operator
   * sees every name and id of the place, but no text.
   */
  leaks(
    place: Place,
    eyes: readonly Eyes[] | 'operator',
    request: string,
    answer: string,
  ): readonly string[] {
    const found = new Set([...answer.matchAll(MARK), ...answer.matchAll(UUID)].map(([token]) => token))
    return [...found].filter((token) => {
      if (request.includes(token)) return false
      const known = (this.#known.get(token) ?? []).filter((each) => each.place === place)
      if (known.length === 0) return true
      if (eyes === 'operator') return token.startsWith('text')
      return !known.some(({ audience }) => eyes.some((each) => sees(each, audience)))
    })
  }
}
