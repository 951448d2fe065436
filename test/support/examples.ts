import { exampleOf } from '../../src/contract/openapi.ts'
import type { OperationName } from '../../src/contract/operations.ts'
import { recordExamples } from '../../src/docs/record-examples.ts'

/** The examples of the documents, recorded anew. */
export const EXAMPLES = await recordExamples()

export const example = (name: OperationName) => exampleOf(EXAMPLES, name)
