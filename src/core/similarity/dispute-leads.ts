import { type Token, tokenOf } from './dispute-clause.ts'
import { infoOf, M } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What stands around a statement and is none of it: who says so, and after what it is so.

/** A statement without what stands around it. */
interface Bare {
  readonly tokens: readonly Token[]
  /** It is so since something else became otherwise. */
  readonly isSince: boolean
}

/** `The landlord says the lift stays shut`, `Since the refit the hall seats 90`: what is stated; null where nothing stands around it. */
export function withoutLead(tokens: readonly Token[]): Bare | null {
  const first = tokens[0]
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return null
  const told = toldFrom(tokens)
  if (told > 0) return { tokens: tokens.slice(told), isSince: false }
  if (SINCE.has(first.text)) {
    const behind = turnEnd(tokens, 0)
    if (behind > 0 && isStated(tokens[behind])) return { tokens: tokens.slice(behind), isSince: true }
  }
  if (!TURNS.has(last.text)) return null
  const since = tokens.findLastIndex(({ text }) => SINCE.has(text))
  if (since < 0 || turnEnd(tokens, since) !== tokens.length) return null
  return { tokens: tokens.slice(0, since), isSince: true }
}

/** Where it begins what somebody says who knows, 0: nobody says it. */
function toldFrom(tokens: readonly Token[]): number {
  let says = 1
  while (says < SAYS_REACH && !SAYS.has(tokens[says]?.text ?? '')) says += 1
  if (says === SAYS_REACH) return 0
  const who = tokens.slice(0, says).filter(({ isContent }) => isContent)
  if (!who.some(({ text }) => WHO_KNOW.has(text)) || who.some(({ kind }) => kind !== 'word')) return 0
  let from = says + 1
  while (TO_WHOM.has(tokens[from]?.text ?? '')) from += 1
  const told = tokens.slice(from)
  return told.filter(({ isContent }) => isContent).length >= TOLD_WORDS_MIN && told.some(isFinite) ? from : 0
}

const SAYS_REACH = 4
const TOLD_WORDS_MIN = 2
const FINITE = W.copula | W.plan | W.change | W.gone | W.now | W.located
/** A statement, and not the thing that somebody confirms or reports. */
function isFinite({ classes, marks }: Token): boolean {
  return (classes & FINITE) !== 0 || (marks & (M.present | M.rule | M.possible)) !== 0
}

const SAYS = wordSet('says say said confirms announces sagt meldet dit annonce dice anuncia diz zegt')
const TO_WHOM = wordSet('that us me dass que che dat uns nous nos ons')
/** Of what is theirs they know how it is; of a customer or a guest it is what he says. */
const WHO_KNOW = wordSet(`
  producer boss manager director office legal landlord landlady vendor supplier admin administration council board committee doctor dentist vet teacher school coach engineer mechanic
  technician accounting finance hr management publisher editor brigade ops security purchasing reception facilities janitor caretaker headquarters hq lead
  chef chefin leitung verwaltung buchhaltung vermieter vermieterin vorstand geschäftsführung hausmeister chef direction bailleur secrétariat jefe jefa dirección administración
  direzione capo amministrazione direção chefe administração baas directie beheerder`)

/** Whether something is said in what follows, and no order is given. */
function isStated(token: Token | undefined): boolean {
  return token !== undefined && ((token.classes & W.article) !== 0 || token.hasCapital || token.text === 'we')
}

/** Where it ends what leads to something that made things otherwise, 0: nothing does. */
function turnEnd(tokens: readonly Token[], since: number): number {
  for (let at = since + 1; at <= since + TURN_REACH; at += 1) {
    const token = tokens[at]
    if (token === undefined) return 0
    if (TURNS.has(token.text)) return at + 1
    if ((token.classes & W.article) === 0 && (token.marks & M.owned) === 0 && !OURS.has(token.text)) return 0
  }
  return 0
}

/** Whether a text goes on, behind `since`, with what made things otherwise. */
export function isTurnBehind(text: string): boolean {
  const [, word = ''] = TURN_BEHIND.exec(text) ?? []
  return TURNS.has(word.toLowerCase())
}

const TURN_BEHIND = /^\s+(?:the|our|its|her|his|their)\s+(\p{L}+)/iu
const TURN_REACH = 3
const OURS = wordSet('our its their unserer unserem notre nuestra nossa nostra onze')
const SINCE = wordSet('after since following nach seit après depuis tras desde dopo dalla após sinds na')
const TURNS = wordSet(`
  refit rebuild expansion enlargement rebrand changeover modernisation modernization renovation renovations refurbishment remodelling remodeling relaunch merger reorganisation reorganization restructuring overhaul redesign retirement resignation relocation
  umbau renovierung sanierung umzug fusion umstrukturierung modernisierung rénovation travaux fusion déménagement réorganisation reforma reformas obras fusión mudanza
  renovación ristrutturazione trasloco fusione fusão mudança renovação verbouwing verhuizing fusie renovatie`)

/** `The cluster is up` says that it is online; `up` and `down` say no such thing elsewhere. */
export function withState(tokens: readonly Token[]): readonly Token[] {
  const [is, last] = [tokens.at(-2), tokens.at(-1)]
  const means = UP_OR_DOWN.get(last?.text ?? '')
  if (means === undefined || is === undefined || (is.classes & W.copula) === 0 || tokens.length < 3)
    return tokens
  return [...tokens.slice(0, -1), tokenOf(means, infoOf(means), 'word', false)]
}

const UP_OR_DOWN: ReadonlyMap<string, string> = new Map([
  ['up', 'online'],
  ['down', 'offline'],
])
