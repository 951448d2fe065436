// Whose memory a request reads and writes is never guessed. A field that only resembles one of these names would be
// ignored like any other unknown one, and the request would act in the default tenant, scope or lane: so it is refused.

/** Normalised words that stand for a boundary and are no field. From what callers of other interfaces call these. */
const WORDS: Readonly<Record<string, string>> = {
  tenant: 'tenant_id',
  tenants: 'tenant_id',
  tenantid: 'tenant_id',
  scopes: 'scope',
  scopeid: 'scope',
  scopename: 'scope',
  consumer: 'consumer_agent_id',
  consumerid: 'consumer_agent_id',
  consumeragent: 'consumer_agent_id',
  consumeragentid: 'consumer_agent_id',
  consumerteam: 'consumer_team_id',
  consumerteamid: 'consumer_team_id',
}

/** Fields of which one slip of the hand is recognised. */
const SLIPPED = ['tenant_id', 'scope', 'consumer_agent_id', 'consumer_team_id'] as const

/** Fields that are recognised in another case, or with other signs between their words; in `memory` too. */
const RESPELT = ['scope', 'agent_id', 'team_id', 'memory_lane', 'owner_agent_id', 'owner_team_id'] as const

/** The one table of near misses: the field that is meant, by the normalised name that was sent. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...SLIPPED.flatMap((name) => slipsOf(normalised(name)).map((slip) => [slip, name] as const)),
  ...respeltRows(),
  ...Object.entries(WORDS),
])

const MEANT_INSIDE: ReadonlyMap<string, string> = new Map(respeltRows())

/** The boundary that an unknown top-level field or query parameter misses by little; null for any other. */
export function boundaryMeantBy(name: string): string | null {
  return otherThan(name, MEANT)
}

/** The same for an unknown field of `memory`. */
export function boundaryMeantInside(name: string): string | null {
  return otherThan(name, MEANT_INSIDE)
}

/** Every boundary that a query must not name where the body says it. */
export function isBoundary(name: string): boolean {
  return MEANT.get(normalised(name)) === name
}

function otherThan(name: string, meant: ReadonlyMap<string, string>): string | null {
  const right = meant.get(normalised(name)) ?? null
  return right === name ? null : right
}

/** Lower case without `_` and `-`. */
export function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

function respeltRows(): readonly (readonly [string, string])[] {
  return RESPELT.map((name) => [normalised(name), name])
}

/** One swapped pair, one doubled or one missing letter. A replaced letter makes another word: `score` is no scope. */
function slipsOf(word: string): readonly string[] {
  return Array.from(word, (letter, at) => {
    const [before, behind] = [word.slice(0, at), word.slice(at + 1)]
    const swapped = `${before}${behind.slice(0, 1)}${letter}${behind.slice(1)}`
    return [`${before}${letter}${letter}${behind}`, `${before}${behind}`, swapped]
  }).flat()
}
