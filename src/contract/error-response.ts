import { z } from 'zod'
import { ERROR_CODES } from '../core/base/errors.ts'
import { described } from './vocabulary.ts'

/** Body of every answer that is not 200. */
export const ErrorResponse = described('A refusal.', {
  error: z.enum(ERROR_CODES).describe('Error code.'),
  message: z.string().describe('One sentence that says what to send instead.'),
  details: z
    .looseObject({
      issues: z
        .array(
          z.strictObject({
            path: z.string().describe('Dot-joined path of the field; empty for the body.'),
            message: z.string(),
          }),
        )
        .optional()
        .describe('What is wrong, field by field, when a request cannot be understood.'),
    })
    .describe('Facts about the refusal, for example guide_trace_id.'),
})

export type ErrorResponse = z.output<typeof ErrorResponse>
