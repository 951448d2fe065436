import { OUTCOMES } from '../base/closed-sets.ts'
import type { Content } from './record.ts'
import { NONE, SharedParts, sharedList, sharedWord } from './shared-parts.ts'

/** What is said about a text, the same of most memories. */
export type Remarks = Omit<Content, 'text' | 'title'>

/** Of remarks without words of their own these are all that can differ. */
export function sharedRemarks(): SharedParts<Remarks> {
  return new SharedParts<Remarks>(['titleIsCallers', 'outcome', 'outcomeRaw', 'confidence', 'fullTextChars'])
}

/**
 * A content as memories keep it: the text, its title, and one object of all other fields that it shares with the contents
 * that say the same there. It reads like any other content; but it has no fields to copy, so that `{ ...content }` needs
 * `plainContent` first.
 */
export class StoredContent implements Content {
  readonly text: string
  readonly title: string | null
  private readonly remarks: Remarks

  constructor(text: string, title: string | null, remarks: Remarks) {
    this.text = text
    this.title = title
    this.remarks = remarks
  }

  get titleIsCallers(): Content['titleIsCallers'] {
    return this.remarks.titleIsCallers
  }
  get summary(): Content['summary'] {
    return this.remarks.summary
  }
  get outcome(): Content['outcome'] {
    return this.remarks.outcome
  }
  get outcomeRaw(): Content['outcomeRaw'] {
    return this.remarks.outcomeRaw
  }
  get confidence(): Content['confidence'] {
    return this.remarks.confidence
  }
  get targetFiles(): Content['targetFiles'] {
    return this.remarks.targetFiles
  }
  get acceptanceChecks(): Content['acceptanceChecks'] {
    return this.remarks.acceptanceChecks
  }
  get workflowSteps(): Content['workflowSteps'] {
    return this.remarks.workflowSteps
  }
  get tools(): Content['tools'] {
    return this.remarks.tools
  }
  get verifier(): Content['verifier'] {
    return this.remarks.verifier
  }
  get evidenceRefs(): Content['evidenceRefs'] {
    return this.remarks.evidenceRefs
  }
  get rawRef(): Content['rawRef'] {
    return this.remarks.rawRef
  }
  get nextAction(): Content['nextAction'] {
    return this.remarks.nextAction
  }
  get payload(): Content['payload'] {
    return this.remarks.payload
  }
  get fullTextChars(): Content['fullTextChars'] {
    return this.remarks.fullTextChars
  }

  /** What JSON and digests see. */
  toJSON(): Content {
    return shapedContent(this, this.text, this.fullTextChars)
  }
}

/** The same content, as memories keep it. */
export function storedContent(
  content: Content,
  text: string,
  shared: SharedParts<Remarks> | null,
): StoredContent {
  return new StoredContent(text, content.title, remarksOf(content, shared))
}

/** The same content as an object of its own fields, which can be copied, stored and sent. */
export function plainContent(content: Content): Content {
  return content instanceof StoredContent ? content.toJSON() : content
}

/**
 * A content in the layout of all contents: an object that is put together key by key, as what comes from disk is, takes
 * twice the memory. Invariant: the order of the fields is that in which contents are compared and digested as JSON.
 */
export function shapedContent(
  content: Omit<Content, 'fullTextChars'>,
  text: string,
  fullTextChars: number | null,
): Content {
  const { outcome } = content
  return {
    title: content.title,
    titleIsCallers: content.titleIsCallers,
    text,
    summary: content.summary,
    outcome: outcome === null ? null : sharedWord(OUTCOMES, outcome),
    outcomeRaw: content.outcomeRaw,
    confidence: content.confidence,
    targetFiles: sharedList(content.targetFiles),
    acceptanceChecks: sharedList(content.acceptanceChecks),
    workflowSteps: sharedList(content.workflowSteps),
    tools: sharedList(content.tools),
    verifier: sharedList(content.verifier),
    evidenceRefs: sharedList(content.evidenceRefs),
    rawRef: content.rawRef,
    nextAction: content.nextAction,
    payload: content.payload,
    fullTextChars,
  }
}

/** The same remarks: one object for all that say nothing of one text alone. */
export function remarksOf(content: Remarks, shared: SharedParts<Remarks> | null): Remarks {
  const { outcome, outcomeRaw, confidence, titleIsCallers } = content
  const remarks: Remarks = {
    titleIsCallers,
    summary: content.summary,
    outcome: outcome === null ? null : sharedWord(OUTCOMES, outcome),
    outcomeRaw,
    confidence,
    targetFiles: sharedList(content.targetFiles),
    acceptanceChecks: sharedList(content.acceptanceChecks),
    workflowSteps: sharedList(content.workflowSteps),
    tools: sharedList(content.tools),
    verifier: sharedList(content.verifier),
    evidenceRefs: sharedList(content.evidenceRefs),
    rawRef: content.rawRef,
    nextAction: content.nextAction,
    payload: content.payload,
    fullTextChars: content.fullTextChars,
  }
  return shared === null || hasOwnWords(remarks) ? remarks : shared.same(remarks, (own) => own)
}

/** Words of its own are hardly those of another memory. */
function hasOwnWords(remarks: Remarks): boolean {
  const { summary, outcome, outcomeRaw, rawRef, nextAction, payload } = remarks
  if (summary !== null || rawRef !== null || nextAction !== null || payload !== null) return true
  if (outcomeRaw !== null && outcomeRaw !== outcome) return true
  return (
    remarks.targetFiles !== NONE ||
    remarks.acceptanceChecks !== NONE ||
    remarks.workflowSteps !== NONE ||
    remarks.tools !== NONE ||
    remarks.verifier !== NONE ||
    remarks.evidenceRefs !== NONE
  )
}
