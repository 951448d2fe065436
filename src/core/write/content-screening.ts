import type { MemoryWrite } from '../model/commands.ts'
import type { Finding, FindingKind, ScreeningContext } from '../screening/finding.ts'
import { isInstructing } from '../screening/reading.ts'

/** What a user's own rule, preference, procedure or project context is there to say: how to act and how to answer. */
const SAID_BY_USERS: ReadonlySet<FindingKind> = new Set(['assistant_directive', 'embedded_request'])

/** Screens one text; may answer from what was found before the turn, since screening is pure. */
export type Screener = (text: string, context: ScreeningContext) => readonly Finding[]

/** Everything of a memory that may be printed, and how it is to be read. */
export function screenedTexts(
  input: Pick<MemoryWrite, 'content' | 'domain' | 'memoryType'>,
  extra: string | null,
) {
  const { content } = input
  // A stored memory is screened without a query: no address is named by anybody yet.
  const context: ScreeningContext = { domain: input.domain, declaredType: input.memoryType, queryText: null }
  const steps = content.workflowSteps.length === 0 ? null : content.workflowSteps.join('\n')
  const texts = [content.title, content.text, content.summary, content.nextAction, steps, extra]
  return { context, texts: texts.filter((text) => text !== null && text !== '') as readonly string[] }
}

/** Kinds of findings in a memory, each once, in order of first appearance. */
export function findingsIn(
  input: Pick<MemoryWrite, 'content' | 'domain' | 'memoryType' | 'origin'>,
  extra: string | null,
  screener: Screener,
): readonly string[] {
  const { context, texts } = screenedTexts(input, extra)
  const isOwnRule = input.origin === 'user' && isInstructing(context)
  const kinds = new Set<string>()
  for (const text of texts) {
    for (const { kind } of screener(text, context))
      if (!(isOwnRule && SAID_BY_USERS.has(kind))) kinds.add(kind)
  }
  return [...kinds]
}
