import type { Clause } from './dispute-clause.ts'
import type { Pair } from './dispute-pair.ts'
import type { SlotKind } from './dispute-rows.ts'
import { isOneRun } from './dispute-slot-values.ts'
import { ROUTES } from './dispute-slot-words.ts'
import { holeOf, isAkin, isSameSubject } from './dispute-subject.ts'
import { W } from './dispute-words.ts'
import { sideOf } from './fact-words.ts'

/** A command, a path or an address in place of another. */
export function nameKind(
  pair: Pair,
  a: readonly number[],
  b: readonly number[],
  extra: readonly number[],
): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isEvent || later.isEvent) return null
  if ([...earlier.tokens, ...later.tokens].some(({ text }) => sideOf(text)?.axis === 'order')) return null
  if (!isOneRun(a) || !isOneRun(b) || isCode(earlier, a) || isCode(later, b)) return null
  if (earlier.isNegated !== later.isNegated) return null
  const least = earlier.isPart || later.isPart ? 2 : 1
  if (!isSameSubject(pair, holeOf(earlier, a), holeOf(later, b, extra), least)) return null
  if (isOtherPurpose(earlier, later)) return null
  const isQuoted = [earlier.tokens[a[0] ?? 0], later.tokens[b[0] ?? 0]].every((token) => token?.isQuoted)
  const isCommand = [...earlier.tokens, ...later.tokens].some(
    ({ text, classes }) => ROUTES.has(text) || (isQuoted && (classes & W.means) !== 0),
  )
  if (isCommand) return 'command'
  const isPlaced = (clause: Clause, at: number): boolean => {
    if ((clause.classes & (W.located | W.slot)) !== 0) return true
    const before = clause.tokens[at - 2]
    return (
      clause.tokens.some(({ kind }) => kind === 'sign') ||
      (before !== undefined && (before.classes & W.copula) !== 0)
    )
  }
  const [x, y] = [isPlaced(earlier, a[0] ?? 0), isPlaced(later, b[0] ?? 0)]
  const isLed = isCommanded(earlier, a) && isCommanded(later, b)
  return (x && y) || ((x || y || pair.shared.length > 2) && isLed) ? 'place' : null
}

/** `GV1N64` names one of many. */
function isCode({ tokens }: Clause, [first = 0, second]: readonly number[]): boolean {
  return second === undefined && /^(?=.*\d)(?=.*\p{L})[\p{L}\d]+$/u.test(tokens[first]?.text ?? '')
}

/** `to start`, `to test`: they do not do the same. */
function isOtherPurpose(earlier: Clause, later: Clause): boolean {
  const [a, b] = [purposeOf(earlier), purposeOf(later)]
  return a !== null && b !== null && !isAkin(a, b)
}

function purposeOf({ tokens }: Clause): string | null {
  const to = tokens.findIndex(({ text }) => text === 'to')
  const verb = to < 0 ? undefined : tokens[to + 1]
  return verb === undefined || verb.isQuoted || (verb.classes & W.article) !== 0 ? null : verb.key
}

/** Behind a word that leads to a place. */
function isCommanded({ tokens }: Clause, [first = 0]: readonly number[]): boolean {
  const before = tokens[first - 1]
  return before !== undefined && (before.classes & (W.placing | W.to)) !== 0
}
