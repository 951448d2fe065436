import { M, type WordInfo } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Who gives a thing on, and who takes it.

interface Spoken extends WordInfo {
  readonly text: string
  readonly hasCapital: boolean
}

/** `Ines handed invoices over to Bo`: where the verb stands, -1: nothing is handed over. */
export function handsAt(tokens: readonly Spoken[]): number {
  const at = tokens.findIndex(({ marks }) => (marks & M.hands) !== 0)
  if (at < 1 || at > 2 || tokens[0]?.hasCapital !== true) return -1
  const behind = tokens.slice(at + 1)
  if (ENGLISH_HANDS.has(tokens[at]?.text ?? '') && !behind.some(({ text }) => OVER.has(text))) return -1
  return behind.some(({ classes }) => (classes & W.to) !== 0) ? at : -1
}

/** `Greta has taken over the rota from Bo`: where the verb stands, -1: nothing is taken over. */
export function takesAt(tokens: readonly Spoken[]): number {
  return tokens.findIndex(
    ({ text, marks }, at) =>
      at > 0 &&
      (marks & M.takes) !== 0 &&
      (!ENGLISH_TAKES.has(text) ||
        tokens[THEM.has(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1]?.text === 'over'),
  )
}

const THEM = wordSet('it them this that')
const ENGLISH_TAKES = wordSet('took taken takes')
const ENGLISH_HANDS = wordSet('handed hands passed')
const OVER = wordSet('over on off')
