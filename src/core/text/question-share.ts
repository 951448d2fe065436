import { withoutStamp } from './stamp.ts'

/** Of every script. */
const QUESTION_MARK = /[?\u037e\u055e\u061f\uff1f]/
const ENDS_SENTENCE = '.!\u2026\u3002\uff01\n'

/** In quotation marks, with an ending of its own: a title, or what somebody else asked. */
const CITED_QUESTION = /[“"«„「『]\s?[^“”"«»„「」『』.!?？]{3,200}[?？]\s?[”"»“」』]/u

/** Whether a text cites a question: it points to where that is answered, as a page of help does, and seldom answers itself. */
export function citesQuestion(text: string): boolean {
  return QUESTION_MARK.test(text) && CITED_QUESTION.test(text)
}

/** Which share of a text stands in sentences that end in a question mark; 0: it asks nothing. */
export function questionShare(text: string): number {
  if (!QUESTION_MARK.test(text)) return 0
  const said = withoutStamp(text)
  let asked = 0
  let from = 0
  for (let at = 0; at < said.length; at += 1) {
    const unit = said.charAt(at)
    const isQuestion = QUESTION_MARK.test(unit)
    if (!isQuestion && !ENDS_SENTENCE.includes(unit)) continue
    if (isQuestion) asked += at + 1 - from
    from = at + 1
  }
  return asked / said.length
}
