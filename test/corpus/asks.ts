import { erase, forget, rehydrate, resolve } from './lifecycles.ts'
import type { Ask } from './naming.ts'
import {
  blastRadius,
  decisionReport,
  decisionTrace,
  flightRecorder,
  listSkills,
  measure,
  operatorSnapshot,
  proposeSkills,
  reviewSkill,
} from './reports.ts'
import { feedback, govern, guide, observe } from './work.ts'

/** How often each is asked, beside the others. */
export const ASKS: readonly (readonly [weight: number, ask: Ask])[] = [
  [22, observe],
  [16, guide],
  [9, feedback],
  [5, govern],
  [6, forget],
  [1, erase],
  [5, rehydrate],
  [5, resolve],
  [5, measure],
  [3, proposeSkills],
  [2, listSkills],
  [3, reviewSkill],
  [4, operatorSnapshot],
  [4, blastRadius],
  [4, decisionTrace],
  [2, decisionReport],
  [5, flightRecorder],
]
