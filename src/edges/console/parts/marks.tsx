import { outcomeShape, SHAPES } from './shapes.ts'
import { type RecordedOutcome, recordedWord, stateWord, surfaceWord } from './words.ts'

// A surface or an outcome is told by its word and by a shape; the colour only repeats it.

export function Shape({ of }: { readonly of: string }) {
  return (
    <svg class={`shape of-${of}`} viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d={SHAPES[of] ?? SHAPES['none']} fill-rule="evenodd" />
    </svg>
  )
}

export function SurfaceMark({ surface }: { readonly surface: string }) {
  return (
    <span class={`mark of-${surface}`}>
      <Shape of={surface} />
      {surfaceWord(surface)}
    </span>
  )
}

export function OutcomeMark({ outcome, word }: { readonly outcome: string | null; readonly word?: string }) {
  const shape = outcomeShape(outcome)
  return (
    <span class={`mark of-${shape}`}>
      <Shape of={shape} />
      {word ?? outcome ?? 'no outcome'}
    </span>
  )
}

/** How the run ended that a memory records. Its state says only what the memory may do. */
export function RecordedMark({ outcome }: { readonly outcome: RecordedOutcome | null }) {
  return outcome === null ? null : <OutcomeMark outcome={outcome} word={recordedWord(outcome)} />
}

/** States in which a memory is held back wear the colour of that. */
const STATE_TONES: Readonly<Record<string, string>> = {
  active: 'calm',
  archived: 'calm',
  candidate: 'watch',
  demoted: 'watch',
  contested: 'watch',
}

export function StateMark({ state }: { readonly state: string }) {
  return <span class={`tag tone-${STATE_TONES[state] ?? 'stop'}`}>{stateWord(state)}</span>
}
