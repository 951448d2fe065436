import type { MemoryWrite } from '../model/commands.ts'
import type { Finding, ScreeningContext } from '../screening/finding.ts'

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
  input: Pick<MemoryWrite, 'content' | 'domain' | 'memoryType'>,
  extra: string | null,
  screener: Screener,
): readonly string[] {
  const { context, texts } = screenedTexts(input, extra)
  const kinds = new Set<string>()
  for (const text of texts) for (const finding of screener(text, context)) kinds.add(finding.kind)
  return [...kinds]
}
