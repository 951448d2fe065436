import { type Finding, findingOf } from './finding.ts'
import { BRACKET, type Survey } from './survey.ts'

/**
 * What a global pattern finds in a text, from left to right; it must not match nothing. Other than `matchAll`, which
 * compiles a copy of the pattern for every text that it is asked about once a collection of garbage has forgotten it.
 */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match
}

/**
 * The same, with a null after every `stepUnits` units of the text: whoever runs it may rest there, also when others use the
 * pattern meanwhile. A match, with what the pattern looks at behind it, is no longer than `reachUnits`.
 */
export function* matchesInSteps(
  text: string,
  pattern: RegExp,
  stepUnits: number,
  reachUnits: number,
): Generator<RegExpExecArray | null> {
  let from = 0
  for (let end = stepUnits; end + reachUnits < text.length; end += stepUnits) {
    const piece = text.slice(0, end + reachUnits)
    while (from < end) {
      pattern.lastIndex = from
      const match = pattern.exec(piece)
      // What begins behind the step is met again by the next one, with all that follows it.
      if (match === null || match.index >= end) from = end
      else {
        from = match.index + match[0].length
        yield match
      }
    }
    yield null
  }
  while (from < text.length) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    from = match.index + match[0].length
    yield match
  }
}

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

// Pictures and links whose address is to be filled with what the reader knows: showing them sends it out.

const ADDRESS = /\s?(https?:\/\/[^\s"'>]{1,240})/
/** Where the text of a picture ends, and its address. */
const TEXT_END = new RegExp(`\\](?=(\\(${ADDRESS.source}))`, 'gi')
/** Begins a picture whose text ends where the units end. */
const TEXT_START = /!\[(?=[^\]\n]*$)/g
/** Units of `![` and the text behind it. */
const TEXT_MAX = 122
const TAG = new RegExp(`<img(?=(\\s[^>]{0,120}src\\s?=\\s?["']?${ADDRESS.source}))`, 'gi')
/** A bracket soon after the mark of a part, a stand-in in capitals, or a parameter without a value at the end. */
const HOLE = /[?&/=](?:[^?&/=]{0,80}(?:[{[<]|%7B)|[A-Z_]{6,}\b|[a-z_]{1,24}=$)/

/** Linear: a bounded look at every address behind a text, and at every `<img`. */
export function addMarkup(findings: Finding[], text: string, query: string): void {
  for (const { index: textEnd, 1: rest = '', 2: address = '' } of matchesIn(text, TEXT_END)) {
    if (!isToBeFilled(address, query)) continue
    // Looked for from here backwards: many marks before a far bracket would each read up to it.
    const before = text.slice(Math.max(0, textEnd - TEXT_MAX), textEnd)
    for (const { index } of matchesIn(before, TEXT_START)) {
      const start = textEnd - before.length + index
      findings.push(findingOf('exfiltration', start, textEnd + 1 + rest.length))
    }
  }
  for (const { index, 0: tag, 1: rest = '', 2: address = '' } of matchesIn(text, TAG)) {
    if (isToBeFilled(address, query))
      findings.push(findingOf('exfiltration', index, index + tag.length + rest.length))
  }
}

function isToBeFilled(address: string, query: string): boolean {
  const plain = address.replace(/\)+$/, '')
  return HOLE.test(plain) && !query.includes(plain.toLowerCase())
}

// Markup that does something as soon as it is shown: a script with a call in it, an event handler with a call, an
// address that is code. A tag that is named, and markup shown as code, do nothing.

/** Between two fences at the start of lines. */
const BLOCK_OF_CODE = /(?<![^\n])```[^]*?\n```/
/** A name and something that can follow it in a tag. */
const TAG_NAME = /[a-z][a-z0-9:-]{0,21}[ \t\n\v\f\r/"'`>]/
/** A call: a bracket right after a name, an index or another call. */
const SCRIPT = /script\b[^<>]{0,80}>[^<]{0,120}?(?:[\w$\])]\(|script:)/
const HANDLER =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`](?:[^<>]{0,120}?[\s"'`/])?on[a-z]{3,20}=["'`]?[^<>{]{0,60}?[\w$\])]\(/
const CODE_ADDRESS =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`][^<>]{0,120}?=\s?["'`]?[^\w"'`<>]{0,8}(?:(?:java|vb)script\s?:|data\s?:\s?text\/html)/
const ACTIVE = new RegExp(
  [
    BLOCK_OF_CODE.source,
    `(?<!\`)<(?=${TAG_NAME.source})(?=(${SCRIPT.source}|${HANDLER.source}|${CODE_ADDRESS.source}))`,
  ].join('|'),
  'gi',
)

/** Linear: one pass over the text with a bounded look at every tag. */
export function addActiveMarkup(findings: Finding[], text: string): void {
  for (const { index, 1: tag } of matchesIn(text, ACTIVE)) {
    if (tag !== undefined) findings.push(findingOf('active_markup', index, index + 1 + tag.length))
  }
}
