import { z } from 'zod'

/** The disputes of one memory. */
export const disputes = z
  .array(
    z.strictObject({
      memory_id: z.string().meta({ description: 'The other memory.' }),
      kind: z.string().meta({ description: 'What they disagree about, or the relation that was claimed.' }),
      yields: z
        .boolean()
        .meta({ description: 'True: this memory yields and is to be inspected; false: it stands.' }),
    }),
  )
  .meta({ description: 'Memories in force that say otherwise, as far as the consumer sees them.' })
