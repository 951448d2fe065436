import { z } from 'zod'
import { REVIEW_KINDS, REVIEW_ORDERS } from '../core/report/review-list.ts'
import { count } from './envelope.ts'
import { optional } from './fields.ts'
import { ListedMemory } from './operator-memories.ts'
import { pageOf, scopeReadFields } from './operator-page.ts'
import { SkillCandidateItem } from './skills.ts'

export const ListReviewRequest = z
  .object({
    ...scopeReadFields,
    kind: optional(z.enum(REVIEW_KINDS), 'Only what waits for this reason.'),
    order: optional(z.enum(REVIEW_ORDERS), 'Default `newest`.'),
  })
  .meta({ description: 'What of a scope waits for a person. Query parameters.' })

export const ReviewItem = z
  .strictObject({
    kind: z.enum(REVIEW_KINDS).meta({
      description:
        'dispute: two memories that cannot both hold; contested: evidence speaks against it; incident: verified failures took it out of use; demoted: reported failures lowered it; candidate: it is not trusted yet, or screening found something; skill: a procedure that nobody has judged.',
    }),
    memories: z
      .array(ListedMemory)
      .max(2)
      .meta({ description: 'Of a dispute both, the one that was written later first; of a skill none.' }),
    dispute: z
      .strictObject({
        kind: z.string().meta({ description: 'What they disagree about.' }),
        yields_memory_id: z.string().meta({ description: 'The one that is held back meanwhile.' }),
        seq: count.meta({ description: 'The turn that found it.' }),
      })
      .nullable(),
    skill: SkillCandidateItem.nullable(),
  })
  .meta({ description: 'One thing that waits for a person.' })

export const ListReviewResponse = pageOf('svc_operator_review_v1', ReviewItem).meta({
  description: 'Memory in the order asked for, then skills in the same. Not for the agent.',
})
