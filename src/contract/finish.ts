import { z } from 'zod'
import { OUTCOMES } from '../core/base/closed-sets.ts'
import { FEEDBACK_RULES } from './feedback.ts'
import { filled, id, ids, optional, request, text, words } from './fields.ts'
import { ownerFields } from './memory-input.ts'
import { workspaceFields } from './observe.ts'
import { ForgetEffect } from './rehydrate.ts'
import {
  attributionStrength,
  described,
  feedbackOutcome,
  rows,
  strings,
  surface,
  usedSurface,
  verifierStatus,
  writtenEnvelope,
} from './vocabulary.ts'

/** The rules of finish that a JSON Schema cannot carry. */
export const FINISH_RULES = {
  once: 'A guide and a run are finished once: the same body again gets the same answer, another one is 409 operation_conflict.',
  unused: 'Without used_memory_ids the run is recorded and no memory is praised or blamed.',
  external: FEEDBACK_RULES.external,
} as const

export const FinishRequest = request('How a run ended, and what it used of its guide.', {
  guide_trace_id: id.describe(
    'Guide that the run worked by. Agent, team, task signature and surfaces come from it, and the run_id unless one is sent.',
  ),
  outcome: filled.describe(
    'How the run ended: succeeded, failed, blocked, interrupted or unknown; another word is kept and treated as unknown. succeeded is positive for what it used, failed negative, anything else neutral.',
  ),
  summary: optional(text, 'What was done and found. It is the text of the run.'),
  title: optional(text, 'Short title.'),
  used_memory_ids: optional(
    ids,
    'Memory of that guide, by id or handle: of a success what was used, of a failure only what it speaks against.',
  ),
  acceptance_checks: optional(words, 'Checks that passed.'),
  target_files: optional(words, 'Files touched.'),
  verifier_status: optional(verifierStatus, 'What a verifier said.'),
  reason: optional(text, 'Why the outcome speaks for or against the memory. Default: how the run ended.'),
  ...workspaceFields,
  ...ownerFields,
})

export const FinishResponse = described('The run that was recorded, and what its outcome changed.', {
  ...writtenEnvelope('svc_finish_result_v1'),
  guide_trace_id: z.string(),
  run_id: z.string().describe('That of the request, else of the guide, else one that was made.'),
  run_memory_id: z.string().describe('Execution memory that holds the run.'),
  outcome: z.enum(OUTCOMES).describe('How the run ended.'),
  feedback_outcome: feedbackOutcome.describe(
    'What it says of the memory that was used; neutral when none was.',
  ),
  used_memory_ids: strings.describe('Memory the outcome was attributed to.'),
  evidence: rows({
    memory_id: z.string(),
    surface: surface.describe('Surface on which the guide showed it.'),
    used_surface: usedSurface,
    attribution_strength: attributionStrength,
  }).describe('What the outcome counts for each of them.'),
  boundary_ignored_memory_ids: strings.describe(
    'Memory that the guide showed on do_not_use or rehydrate: it gets no evidence.',
  ),
  forget_effect: ForgetEffect,
})
