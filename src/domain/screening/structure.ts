import { type Finding, findingOf } from './finding.ts'
import { BRACKET, LINE_END, type Survey, UNUSUAL } from './survey.ts'

// Marks that belong to a prompt, a chat template or a tool protocol. In content they try to end the content. Read at
// the start of lines and at `<` and `[`, each look bounded.

const LOOK = 96
/** Before a mark at the start of a line: quotes, list marks, emphasis. */
const DECORATION = ' \t>*_"\'`~-'

/** Speaker of a chat, then speech: three words or more, so that `system: linux` stays a setting. */
const SPEAKER =
  /^(?:\[|<|#{1,6} ?)?(?:system|assistant|developer)(?: (?:prompt|message|note|override|instructions?|notice|alert|update))?(?:\]|>)?(?:\*\*|__)? ?[:\uff1a](?:\*\*|__)? ?["'*]?(?:[^\s:={}[\]]+\s+){2}[^\s:={}]/iu
const TURN = /^(?:human|user|ai|assistant|bot|model) ?[:\uff1a] ?\S/iu
const HEADING =
  /^(?:#{1,6} ?|={2,} ?|-{3,} ?|\*\*|\[)(?:(?:instruction|response|input|human|user|assistant|system)(?:\*\*)?:|(?:(?:new|system|hidden|secret|updated) (?:instructions?|prompt|message)|end of (?:the )?(?:context|document|prompt|input|text|memory|content|conversation|user input|instructions?|data))(?:\]| ?(?:#{1,6}|={2,}|-{3,}|\*\*))?:?(?:[\r\n]|$))/iu
/** Our own prompt: its title and its section headings. */
const OWN_MARKED = /^#{1,6} ?(?:use[ _]now|inspect[ _]before[ _]use|do[ _]not[ _]use|rehydrate)(?![a-z])/iu
const OWN_HEADING =
  /^(?:Governed memory: |(?:USE[ _]NOW|INSPECT[ _]BEFORE[ _]USE|DO[ _]NOT[ _]USE|REHYDRATE) ?(?::|$)|(?:use_now|inspect_before_use|do_not_use) ?: ?(?:$|[^[\s\d"'{ntf]))/u
/** First units of our own headings, and of all other marks; long s is an s in any case. */
const OWN_INITIALS = 'uidUIDRG'
const INITIALS = '[<#=-*sadhubmSADHUBM\u017f'
const COLON = /[:\uff1a]/u
/** Marks of chat templates and tool protocols, wherever they stand. */
const TEMPLATE =
  /^(?:<\|[a-z_]{2,32}\|>|<\/?(?:system|assistant|system_prompt|system-prompt|instructions|function_calls|tool_calls?|tool_response|invoke|parameter)>|<<\/?SYS>>|<(?:start_of_turn|end_of_turn|eos|bos)>|<\/s>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/iu

/** Marks in the text; the survey is its own. */
export function addStructure(findings: Finding[], text: string, { signs }: Survey): void {
  let turns = 0
  let isLineStart = true
  // Nothing can be found within a line without a bracket.
  const to = (signs & (LINE_END | BRACKET | UNUSUAL)) === 0 ? Math.min(1, text.length) : text.length
  for (let at = 0; at < to; at++) {
    const code = text.charCodeAt(at)
    if (!isLineStart && code > 0x5b && code < 0x2028) continue
    if (code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029) {
      isLineStart = true
      continue
    }
    if (code === 0x3c || code === 0x5b) {
      const length = TEMPLATE.exec(text.slice(at, at + LOOK))?.[0].length ?? 0
      if (length > 0) findings.push(findingOf('forged_structure', at, at + length))
    }
    if (isLineStart) turns = addLineMark(findings, text, at, turns)
    isLineStart = false
  }
}

/** Reads the line that begins at `at`; how many lines are turns of a chat with it. */
function addLineMark(findings: Finding[], text: string, at: number, turns: number): number {
  const start = afterDecoration(text, at)
  const initial = text.charAt(start)
  if (initial === '' || !(INITIALS.includes(initial) || OWN_INITIALS.includes(initial))) return turns
  const line = text.slice(start, start + LOOK)
  const length = markAtLineStart(line, initial)
  if (length > 0) findings.push(findingOf('forged_structure', start, start + length))
  else if (TURN.test(line)) {
    // One labelled line is a note about someone; the second makes a conversation that never took place here.
    if (turns > 0) findings.push(findingOf('forged_structure', start, start + line.search(COLON) + 1))
    return turns + 1
  }
  return turns
}

function markAtLineStart(line: string, initial: string): number {
  const mark = SPEAKER.exec(line) ?? HEADING.exec(line) ?? OWN_MARKED.exec(line)
  if (mark !== null) return mark[0].trimEnd().length
  if (!OWN_INITIALS.includes(initial)) return 0
  return OWN_HEADING.exec(line.split(/[\r\n\u2028\u2029]/u, 1)[0] ?? '')?.[0].trimEnd().length ?? 0
}

/** The first unit of a line that is not decoration; headings keep their marks. */
function afterDecoration(text: string, from: number): number {
  let at = from
  const to = Math.min(text.length, from + 16)
  while (
    at < to &&
    DECORATION.includes(text.charAt(at)) &&
    !text.startsWith('---', at) &&
    !text.startsWith('**', at)
  )
    at += 1
  return at
}
