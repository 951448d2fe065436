import { M } from './dispute-lexicon.ts'
import { wordSet } from './fact-words.ts'

interface Listed {
  readonly text: string
  readonly marks: number
  readonly kind: string
}

/** Whether a statement names several that hold beside each other. */
export function isListed(tokens: readonly Listed[], marks: number): boolean {
  // `Wedding of Ines and Bo: 3 May`: what a field is about is no list of values.
  const from = (marks & M.and) === 0 ? 0 : tokens.findIndex(({ kind }) => kind === 'sign') + 1
  return (
    ((marks & M.and) !== 0 && tokens.some((_, at) => at >= from && isJoinedAt(tokens, at))) ||
    isOneOfSome(tokens)
  )
}

/** `One of the printers is …`, `Zu den Gästen gehört …`: another of them may be so, too. */
function isOneOfSome([first, second]: readonly Listed[]): boolean {
  if (first === undefined || second === undefined) return false
  if (first.text === 'zu') return second.text === 'den'
  if (AMONG.has(first.text)) return true
  return ONE_OF.has(first.text) && OF_SOME.has(second.text)
}

const AMONG = wordSet('among amongst parmi')
const ONE_OF = wordSet('one einer eine eines un une uno una um uma een один одна')
const OF_SOME = wordSet('of der des de delle dei degli dos das van из')

/** `tea and milk`, but not `13 and later`. */
function isJoinedAt(tokens: readonly Listed[], at: number): boolean {
  return ((tokens[at]?.marks ?? 0) & M.and) !== 0 && !ONWARDS.has(tokens[at + 1]?.text ?? '')
}

const ONWARDS = wordSet(
  'later newer above up higher upwards over older earlier below lower neuer höher älter später darüber ultérieur supérieur posterior superior successive superiori hoger nieuwer выше новее',
)
