import { z } from 'zod'
import { optional } from './fields.ts'

const CHANGES_MAX = 256
const PATH = /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\\p{Cc}\p{Zl}\p{Zp}]{1,512}$/u
const DIGEST = /^[\x21-\x7e]{1,128}$/

/** Accepted by observe and finish. */
export const workspaceFields = {
  workspace_changes: optional(
    z
      .array(
        z.strictObject({
          path: z.string().regex(PATH, {
            message:
              'Send a path inside of the workspace with slashes, without .. and of at most 512 characters.',
          }),
          digest: z
            .string()
            .regex(DIGEST, { message: 'Send a hash of at most 128 characters, or null.' })
            .nullable(),
        }),
      )
      .max(CHANGES_MAX),
    'Files that changed: a hash of what each holds, null when it is gone. Memory that names one says so.',
  ),
}
