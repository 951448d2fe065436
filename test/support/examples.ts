import type { OperationName } from '../../src/contract/operations.ts'
import { exampleOf } from '../../src/docs/openapi.ts'
import { recordExamples } from '../../src/docs/record-examples.ts'

/** The examples of the documents, recorded anew. */
export const EXAMPLES = await recordExamples()
export const example = (name: OperationName) => exampleOf(EXAMPLES, name)
