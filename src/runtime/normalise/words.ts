import type { WireMemory } from '../../contract/memory-input.ts'
import type { WireExecution } from '../../contract/observe.ts'
import { meaning } from '../../contract/parse.ts'
import { echoOf, nearName } from '../../contract/unknown-fields.ts'
import {
  MEMORY_TYPES,
  type MemoryType,
  OUTCOMES,
  type Outcome,
  VERIFIER_STATUSES,
} from '../../core/base/closed-sets.ts'
import type { DeclaredLifecycle } from '../../core/model/commands.ts'
import type { VerifierEvidence } from '../../core/model/record.ts'
import { firstOf } from './identity.ts'

// Words of callers, read as words of the domain. A word that is not known never raises anything.

const LIFECYCLE_WORDS: ReadonlyMap<string, DeclaredLifecycle | null> = new Map([
  ['active', null],
  ['current', null],
  ['procedure', null],
  ['unknown', null],
  ['stale', 'demoted'],
  ['demoted', 'demoted'],
  ['candidate', 'candidate'],
  ['contested', 'contested'],
  ['failed', 'failed'],
  ['suppressed', 'suppressed'],
  ['superseded', 'superseded'],
  ['expired', 'expired'],
  ['archived', 'archived'],
  ['rehydration_candidate', 'archived'],
])

type Declaring = Pick<WireMemory, 'lifecycle' | 'lifecycle_hint' | 'lifecycle_state' | 'tier' | 'slots'>

/** Every facet that a caller declares, wherever it says so. */
export function declaredLifecycles(
  declaring: Declaring,
  place: string,
  warnings: string[],
): readonly DeclaredLifecycle[] {
  const inSlots = declaring.slots?.['lifecycle_state']
  const said = [
    ['lifecycle', declaring.lifecycle],
    ['lifecycle_hint', declaring.lifecycle_hint],
    ['lifecycle_state', declaring.lifecycle_state],
    ['slots.lifecycle_state', typeof inSlots === 'string' ? inSlots : null],
  ] as const
  const declared = new Set<DeclaredLifecycle>()
  for (const [field, value] of said) {
    const word = normalWord(value)
    if (word === null) continue
    const meaning = LIFECYCLE_WORDS.get(word)
    if (meaning === undefined) {
      warnings.push(`${place}.${field} is not a known lifecycle word and was ignored: send one of ${KNOWN}`)
    } else if (meaning !== null) declared.add(meaning)
  }
  const tier = normalWord(declaring.tier)
  if (tier === 'archive' || tier === 'archived') declared.add('archived')
  return [...declared]
}

const KNOWN = [...LIFECYCLE_WORDS.keys()].join(', ')

const KIND_WORDS: ReadonlyMap<string, MemoryType> = new Map([
  ['fact', 'fact'],
  ['concept', 'fact'],
  ['entity', 'fact'],
  ['preference', 'preference'],
  ['self_model', 'preference'],
  ['project_context', 'project_context'],
  ['topic', 'project_context'],
  ['procedure', 'procedure'],
  ['event', 'event'],
  ['evidence', 'evidence'],
  ['rule', 'rule'],
  ['execution_memory', 'execution_memory'],
  ['execution_workflow', 'execution_memory'],
  ['workflow', 'execution_memory'],
])
/** Words that only say that a memory is ordinary: the next field may say more. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(['general_memory', 'general', 'knowledge', 'note'])

/** The type behind the kinds of a memory, the most telling field first; an unknown word is a fact. */
export function memoryTypeOf(
  kinds: readonly (string | null | undefined)[],
  place: string,
  warnings: string[],
): MemoryType {
  for (const kind of kinds) {
    const word = normalWord(kind)
    if (word === null || GENERAL_WORDS.has(word)) continue
    const type = KIND_WORDS.get(word)
    if (type === undefined) warnings.push(unknownKind(place, word))
    return type ?? 'fact'
  }
  return 'fact'
}

function unknownKind(place: string, word: string): string {
  const hint = meaning(nearName(word, KIND_WORDS.keys())) || `: send one of ${MEMORY_TYPES.join(', ')}`
  return `${place}.kind ${echoOf(word)} is not known and is typed fact${hint}`
}

/** The type that one kind declares, read as for observe; null when it says nothing of a type. */
export function declaredTypeOf(kind: string | null): MemoryType | null {
  const word = normalWord(kind)
  return word === null || GENERAL_WORDS.has(word) ? null : (KIND_WORDS.get(word) ?? 'fact')
}

/** Words for how a run ended that leave no doubt. */
const OUTCOME_WORDS: ReadonlyMap<string, Outcome> = new Map([
  ['success', 'succeeded'],
  ['ok', 'succeeded'],
  ['passed', 'succeeded'],
  ['done', 'succeeded'],
  ['completed', 'succeeded'],
  ['failure', 'failed'],
  ['error', 'failed'],
])

export interface OutcomeWord {
  readonly outcome: Outcome
  /** The caller's word when it is not one of ours. */
  readonly outcomeRaw: string | null
}

/** How a run ended, in any case of our words and of those that mean one of them; any other word is unknown and warned of. */
export function outcomeOf(said: string | null | undefined, place: string, warnings: string[]): OutcomeWord {
  const word = normalWord(said)
  if (word === null) return { outcome: 'unknown', outcomeRaw: null }
  const known = OUTCOMES.find((outcome) => outcome === word)
  if (known !== undefined) return { outcome: known, outcomeRaw: null }
  const meant = OUTCOME_WORDS.get(word)
  if (meant !== undefined) return { outcome: meant, outcomeRaw: firstOf(said) }
  const hint = `send one of ${OUTCOMES.join(', ')}, not ${echoOf(word)}`
  warnings.push(`${place}.outcome is treated as unknown: ${hint}`)
  return { outcome: 'unknown', outcomeRaw: firstOf(said) }
}

/** Text names a verifier whose status is not known; a status that is no word of ours is unknown. */
export function verifiersOf(
  said: WireExecution['verifier'],
  place: string,
  warnings: string[],
): readonly VerifierEvidence[] {
  if (said === undefined || said === null) return []
  return (Array.isArray(said) ? said : [said]).flatMap((one) => {
    if (typeof one === 'string') return one === '' ? [] : [{ name: one, status: 'unknown', summary: null }]
    const word = normalWord(one.status)
    const status = VERIFIER_STATUSES.find((each) => each === word)
    if (word !== null && status === undefined) {
      warnings.push(
        `${place}.verifier.status is treated as unknown: send one of ${VERIFIER_STATUSES.join(', ')}`,
      )
    }
    return [
      { name: firstOf(one.name) ?? 'verifier', status: status ?? 'unknown', summary: firstOf(one.summary) },
    ]
  })
}

function normalWord(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return word === '' ? null : word
}
