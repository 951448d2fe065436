import { type Found, foundIn } from './found.ts'
import { type Shown, SURFACES, withGuided } from './guided.ts'
import { type Ask, openedPeer, PEERS } from './peers.ts'
import type { QuestionSet, Scope } from './sets.ts'

export interface EngineFound {
  readonly name: string
  readonly isLibrary: boolean
  /** By question, in the order of the set. */
  readonly found: readonly Found[]
}

export interface SetReport {
  /** As it was asked. */
  readonly set: QuestionSet
  /** memgov first, then the peers that are installed. */
  readonly engines: readonly EngineFound[]
  /** Of each question of another family: what is shown. */
  readonly foreign: readonly Shown[]
}

export const MEMGOV = 'memgov'
/** Questions of other families that are asked in a set at most, evenly taken from all of them. */
const FOREIGN_MAX = 120

/** Asks every question of a set of memgov and of the peers. `others`: sets from which foreign questions are taken. */
export async function measuredSet(
  set: QuestionSet,
  others: readonly QuestionSet[],
  isQuick: boolean,
): Promise<SetReport> {
  const scopes = isQuick ? set.scopes.map(shortened) : set.scopes
  const foreign = foreignQuestions(set, others)
  const ours = await withGuided(scopes, async (guided) => {
    const found: Found[] = []
    const shown: Shown[] = []
    for (const [place, scope] of scopes.entries()) {
      const asked = guided.get(scope)
      if (asked === undefined) continue
      for (const { text, evidence } of scope.questions) found.push(foundIn(await asked.ask(text), evidence))
      const own = foreign.filter((_, at) => at % scopes.length === place)
      for (const text of own) shown.push(await asked.shown(text))
    }
    return { found, shown }
  })
  return {
    set: { ...set, scopes },
    engines: [{ name: MEMGOV, isLibrary: false, found: ours.found }, ...peersFound(scopes, set.language)],
    foreign: ours.shown,
  }
}

function peersFound(scopes: readonly Scope[], language: string): readonly EngineFound[] {
  return PEERS.flatMap((peer) => {
    const found = scopes.map((scope) => {
      const ask = openedPeer(
        peer,
        scope.memories.map(({ text }) => text),
        language,
      )
      return ask === null ? null : askedOf(ask, scope)
    })
    if (found.some((each) => each === null)) return []
    return { name: peer.name, isLibrary: peer.isLibrary, found: found.flatMap((each) => each ?? []) }
  })
}

function askedOf(ask: Ask, { memories, questions }: Scope): readonly Found[] {
  return questions.map(({ text, evidence }) =>
    foundIn(
      ask(text).map((place) => memories[place]?.id ?? ''),
      evidence,
    ),
  )
}

/** Questions of each other family once, evenly. */
export function foreignQuestions({ family }: QuestionSet, others: readonly QuestionSet[]): readonly string[] {
  const texts = new Set(
    others
      .filter((other) => other.family !== family)
      .flatMap(({ scopes }) => scopes.flatMap(({ questions }) => questions.map(({ text }) => text))),
  )
  const step = Math.max(1, texts.size / FOREIGN_MAX)
  const all = [...texts]
  return Array.from(
    { length: Math.min(FOREIGN_MAX, all.length) },
    (_, at) => all[Math.floor(at * step)] ?? '',
  )
}

const QUICK_QUESTIONS = 20

function shortened(scope: Scope): Scope {
  return { ...scope, questions: scope.questions.slice(0, QUICK_QUESTIONS) }
}

/** The share of foreign questions that are shown anything on each surface, and anything at all, last. */
export function shownShares(foreign: readonly Shown[]): readonly number[] {
  const share = (isShown: (shown: Shown) => boolean): number =>
    foreign.length === 0 ? 0 : foreign.filter(isShown).length / foreign.length
  return [
    ...SURFACES.map((_, at) => share((shown) => (shown[at] ?? 0) > 0)),
    share((shown) => shown.some((count) => count > 0)),
  ]
}
