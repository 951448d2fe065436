import { z } from 'zod'
import { SKILL_VERDICTS, type SkillVerdict } from '../core/skills/settle.ts'
import { VERDICTS, type Verdict } from '../core/write/settle.ts'
import { triedFields } from './by-filter.ts'
import { described, strings, writtenEnvelope } from './envelope.ts'
import { filled, id, isSent, optional, required } from './fields.ts'
import { sharedFields } from './shared-request.ts'
import { SkillCandidateItem } from './skills.ts'

export const SETTLE_RULES = {
  what: 'Send memory_ids of a dispute, or skill_id of a skill candidate.',
  verdict: 'Send a, b, both, neither or reopen for memory_ids, and promote, reject or reopen for skill_id.',
  pair: 'The two memories dispute each other, or did when they were settled before.',
  eyes: 'A key does not approve what it wrote itself, and promotes nothing that is derived from that: another operator does.',
  anew: 'A later verdict takes back what the one before did, and reopen only that: it is the undo. The same one again changes nothing.',
} as const

export function isSkillVerdict(verdict: string): verdict is SkillVerdict {
  return SKILL_VERDICTS.some((each) => each === verdict)
}

export function isDisputeVerdict(verdict: string): verdict is Verdict {
  return VERDICTS.some((each) => each === verdict)
}

/** `reopen` is one of both. */
const ANY_VERDICT = z.enum(['a', 'b', 'both', 'neither', ...SKILL_VERDICTS])

export const SettleRequest = z
  .object({
    ...sharedFields,
    memory_ids: optional(
      z.tuple([id, id], { error: 'Send the ids of two memories that dispute each other, as [a, b].' }),
      'The two memories of a dispute, a and b.',
    ),
    skill_id: optional(id, 'A skill candidate, in place of memory_ids.'),
    verdict: required(
      ANY_VERDICT,
      'a or b: that one stands, the other is superseded. both: they do not contradict each other, for good. neither: both are suppressed. Of a skill: promote writes it as a procedure, reject hides it until runs change its steps. reopen takes back what was decided.',
    ),
    reason: required(filled, 'Audit reason.'),
    dry_run: optional(z.boolean(), 'Tell what it would do, and change nothing. Default false.'),
  })
  .refine((body) => isSent(body.memory_ids) !== isSent(body.skill_id), {
    path: ['memory_ids'],
    error: SETTLE_RULES.what,
  })
  .refine(({ verdict, skill_id: skill }) => (isSent(skill) ? isSkillVerdict : isDisputeVerdict)(verdict), {
    path: ['verdict'],
    error: SETTLE_RULES.verdict,
  })
  .meta({ description: 'Which side of a dispute stands, or what becomes of a skill candidate.' })

export const SettleResponse = described('What was decided, and what it changed.', {
  ...writtenEnvelope('svc_settle_result_v1'),
  memory_ids: strings.optional().meta({ description: 'a and b.' }),
  skill: SkillCandidateItem.optional(),
  verdict: ANY_VERDICT,
  previous_verdict: ANY_VERDICT.nullable().meta({ description: 'What it replaces; null: nothing.' }),
  changed_memory_ids: strings.meta({ description: 'Memories whose state changed.' }),
  ...triedFields,
})
