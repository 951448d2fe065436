import { type Finding, findingOf } from './finding.ts'
import { matchesIn } from './matches.ts'

// Markup that does something as soon as it is shown: a script with a call in it, an event handler with a call, an
// address that is code. A tag that is named, and markup shown as code, do nothing.

/** Between two fences at the start of lines. */
const BLOCK_OF_CODE = /(?<![^\n])```[^]*?\n```/
/** A name and something that can follow it in a tag. */
const NAME = /[a-z][a-z0-9:-]{0,21}[ \t\n\v\f\r/"'`>]/
/** A call: a bracket right after a name, an index or another call. */
const SCRIPT = /script\b[^<>]{0,80}>[^<]{0,120}?(?:[\w$\])]\(|script:)/
const HANDLER =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`](?:[^<>]{0,120}?[\s"'`/])?on[a-z]{3,20}=["'`]?[^<>{]{0,60}?[\w$\])]\(/
const CODE_ADDRESS =
  /[a-z][a-z0-9:-]{0,20}[\s/"'`][^<>]{0,120}?=\s?["'`]?[^\w"'`<>]{0,8}(?:(?:java|vb)script\s?:|data\s?:\s?text\/html)/
const ACTIVE = new RegExp(
  [
    BLOCK_OF_CODE.source,
    `(?<!\`)<(?=${NAME.source})(?=(${SCRIPT.source}|${HANDLER.source}|${CODE_ADDRESS.source}))`,
  ].join('|'),
  'gi',
)

/** Linear: one pass over the text with a bounded look at every tag. */
export function addActiveMarkup(findings: Finding[], text: string): void {
  for (const { index, 1: tag } of matchesIn(text, ACTIVE)) {
    if (tag !== undefined) findings.push(findingOf('active_markup', index, index + 1 + tag.length))
  }
}
