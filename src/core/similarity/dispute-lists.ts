import { M } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Whether a statement is one of a list: of what is listed, several hold.

interface Listed {
  readonly text: string
  readonly marks: number
  readonly kind: string
  readonly classes: number
  readonly isContent: boolean
}

/** Whether a statement names several that hold beside each other. */
export function isListed(tokens: readonly Listed[], marks: number): boolean {
  // `Wedding of Ines and Bo: 3 May`: what a field is about is no list of values.
  const from = (marks & M.and) === 0 ? 0 : tokens.findIndex(({ kind }) => kind === 'sign') + 1
  return (
    ((marks & M.and) !== 0 && tokens.some((_, at) => at >= from && isJoinedAt(tokens, at))) ||
    tokens.some(({ text }, at) => ONE_OF.has(text) && tokens[at + 1]?.text === 'of') ||
    isOneOfSome(tokens)
  )
}

/** `One of the printers is …`, `Zu den Gästen gehört …`: another of them may be so, too. */
function isOneOfSome([first, second, third, fourth]: readonly Listed[]): boolean {
  if (first === undefined || second === undefined) return false
  if (first.text === 'zu') return second.text === 'den'
  if (AMONG.has(first.text)) return true
  if (first.text === 'zum' || first.text === 'zur') return third?.text === 'gehört'
  return ONE_OF.has(first.text) && [second, third, fourth].some((of) => OF_SOME.has(of?.text ?? ''))
}

const AMONG = wordSet('among amongst parmi')
const ONE_OF = wordSet('one einer eine eines un une uno una um uma een один одна')
const OF_SOME = wordSet('of der des de delle dei degli dos das van из')

/** `tea and milk`, but not `13 and later`, `per user and week`, `between 2 and 4`. */
function isJoinedAt(tokens: readonly Listed[], at: number): boolean {
  if (((tokens[at]?.marks ?? 0) & M.and) === 0 || ONWARDS.has(tokens[at + 1]?.text ?? '')) return false
  // `were moved and stand in …`
  const isNextVerb = ((tokens[at + 1]?.classes ?? 0) & W.located) !== 0 && tokens[at + 1]?.isContent === false
  if (isNextVerb && ((tokens[at - 1]?.classes ?? 0) & W.change) !== 0) return false
  return !PAIRED.has(tokens[at - 2]?.text ?? '')
}

const PAIRED = wordSet('per pro par por between zwischen entre tra fra tussen между')

/** `…, second drawer`, `…, hook 7`, `(see the manual)`: where in it, and no other member of a list. */
export function isDetail(tokens: readonly Listed[]): boolean {
  return tokens.some(({ text }) => PARTS.has(text)) || tokens[0]?.text === 'see'
}

const PARTS = wordSet(`
  space channel folder section tab shelf rack hook drawer aisle row bay room floor level door box bin cabinet cupboard locker desk extension wing corner pier gate
  regal fach haken schublade gang reihe raum etage stock stockwerk tür schrank durchwahl flügel étagère crochet tiroir rangée salle étage porte armoire poste
  estante gancho cajón pasillo fila sala piso puerta armario extensión`)

const ONWARDS = wordSet(
  'later newer above up higher upwards over older earlier below lower neuer höher älter später darüber ultérieur supérieur posterior superior successive superiori hoger nieuwer выше новее',
)

/** `supports tabs`: and spaces, too; but `Install with npm` says by what, `is called users` which. */
export function maySayMore(tokens: readonly Listed[], classes: number): boolean {
  // `Allowed origin: …`: and others, too.
  const isTodo = tokens[0]?.text === 'to' && tokens[1]?.text === 'do'
  if ((isTodo || LISTED.has(tokens[0]?.text ?? '')) && tokens.some(({ kind }) => kind === 'sign')) return true
  if ((classes & W.plural) === 0) return false
  return tokens.some(
    (token, at) =>
      (token.classes & W.plural) !== 0 &&
      ((tokens[at + 1]?.classes ?? 0) & W.means) === 0 &&
      !(token.text === 'called' && ((tokens[at - 1]?.marks ?? 0) & M.present) !== 0),
  )
}

const LISTED = wordSet(
  'packed bought invited allowed permitted supported accepted trusted blocked known erlaubte unterstützte autorisée permitido',
)
