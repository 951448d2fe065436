import { type Finding, findingOf } from './finding.ts'
import { matchesIn } from './matches.ts'
import { BRACKET, type Survey } from './survey.ts'

// Marks that belong to a prompt, a chat template or a tool protocol. In content they try to end the content. Read at
// the start of lines and at `<` and `[`, each look bounded.

const LOOK = 96
/** Decoration at the start of a line (quotes, list marks, emphasis), and how a mark begins; long s is an s too. */
const LINE = /^((?:(?!---|\*\*)[ \t>*_"'`~-]){0,16})(?:[[<#=adhubmirg\u017fs]|---|\*\*)/gim

/** Speaker of a chat, then speech: three words or more, so that `system: linux` stays a setting. */
const SPEAKER =
  /^(?:\[|<|#{1,6} ?)?(?:system|assistant|developer)(?: (?:prompt|message|note|override|instructions?|notice|alert|update))?(?:\]|>)?(?:\*\*|__)? ?[:\uff1a](?:\*\*|__)? ?["'*]?(?:[^\s:={}[\]]+\s+){2}[^\s:={}]/iu
const TURN = /^(?:human|user|ai|assistant|bot|model) ?[:\uff1a] ?\S/iu
const HEADING =
  /^(?:#{1,6} ?|={2,} ?|-{3,} ?|\*\*|\[)(?:(?:instruction|response|input|human|user|assistant|system)(?:\*\*)?:|(?:(?:new|system|hidden|secret|updated) (?:instructions?|prompt|message)|end of (?:the )?(?:context|document|prompt|input|text|memory|content|conversation|user input|instructions?|data))(?:\]| ?(?:#{1,6}|={2,}|-{3,}|\*\*))?:?(?:[\r\n]|$))/iu
/** Our own prompt: its title and its section headings. Nothing, or no value, follows the names of its sections. */
const OWN_MARKED = /^#{1,6} ?(?:use[ _]now|inspect[ _]before[ _]use|do[ _]not[ _]use|rehydrate)(?![a-z])/iu
const OWN_HEADING =
  /^(?:Governed memory: |(?:USE[ _]NOW|INSPECT[ _]BEFORE[ _]USE|DO[ _]NOT[ _]USE|REHYDRATE) ?(?::|(?!.))|(?:use_now|inspect_before_use|do_not_use) ?: ?(?:(?!.)|[^[\s\d"'{ntf]))/u
const COLON = /[:\uff1a]/u
/** Marks of chat templates and tool protocols, wherever they stand. Each begins with `<` or `[`. */
const TEMPLATE =
  /<\|[a-z_]{2,32}\|>|<\/?(?:system|assistant|system_prompt|system-prompt|instructions|function_calls|tool_calls?|tool_response|invoke|parameter)>|<<\/?SYS>>|<(?:start_of_turn|end_of_turn|eos|bos)>|<\/s>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]/giu

export function addStructure(findings: Finding[], text: string, { signs }: Survey): void {
  const found: Finding[] = []
  if ((signs & BRACKET) !== 0) {
    for (const { index, 0: mark } of matchesIn(text, TEMPLATE)) found.push(markOf(index, mark.length))
  }
  let turns = 0
  for (const { index, 1: decoration = '' } of matchesIn(text, LINE)) {
    const start = index + decoration.length
    const line = text.slice(start, start + LOOK)
    const mark = SPEAKER.exec(line) ?? HEADING.exec(line) ?? OWN_MARKED.exec(line) ?? OWN_HEADING.exec(line)
    if (mark !== null) found.push(markOf(start, mark[0].trimEnd().length))
    else if (TURN.test(line)) {
      turns += 1
      // One labelled line is a note about someone; the second makes a conversation that never took place here.
      if (turns > 1) found.push(markOf(start, line.search(COLON) + 1))
    }
  }
  for (const finding of found.sort((a, b) => a.start - b.start)) findings.push(finding)
}

function markOf(start: number, length: number): Finding {
  return findingOf('forged_structure', start, start + length)
}
