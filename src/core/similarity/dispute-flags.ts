import { countIn } from '../base/collections.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { ENABLED, isDate, isSwitch, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// `The flag new_checkout is off`: what one name stands for is switched on or off.

/** What a statement says of a switch. */
interface Switched {
  /** The key of its name. */
  readonly name: string
  readonly isOn: boolean
  /** Where, or for whom alone: words that neither name the switch, nor say that it is on or off, nor when. */
  readonly cases: ReadonlySet<string>
  /** For all of which sort; empty: for everybody. */
  readonly sort: string
}

/** `The flag new_checkout is off` and `new_checkout went live for all users`: on in one, off in the other, in no other case. */
export function isSwitchedOver({ earlier, later }: Pair): boolean {
  const [one, other] = [switchedIn(earlier), switchedIn(later)]
  if (one === null || other === null || one.name !== other.name || one.isOn === other.isOn) return false
  if (one.sort !== '' && other.sort !== '' && one.sort !== other.sort) return false
  return one.cases.size === other.cases.size && countIn(one.cases, other.cases) === one.cases.size
}

/** What a statement says of one switch; null: of none, of several, or not whether it is on. */
export function switchedIn({ tokens, isNegated, isConditional, isPromise, isWish }: Clause): Switched | null {
  if (isConditional || isPromise || isWish) return null
  const named = tokens.findIndex(isSwitchName)
  const name = tokens[named]
  if (name === undefined || tokens.some((token, at) => at > named && isSwitchName(token))) return null
  // `is off until 4 May` and `is on from 4 May` are one plan.
  if (tokens.some(({ text }) => UNTIL.has(text))) return null
  const states = tokens.flatMap((_, at) => stateAt(tokens, at) ?? [])
  const [isOn] = states
  if (isOn === undefined || states.includes(!isOn) || (isNegated && !isOn)) return null
  const sort = tokens.find(({ text }) => SORTS.has(text))?.key ?? ''
  return { name: name.key, isOn: isOn !== isNegated, cases: new Set(casesIn(tokens, name)), sort }
}

/** Whether a statement says that something is off: what is switched off after that is no news. */
export function saysOff(clause: Clause): boolean {
  return (
    clause.tokens.some(
      ({ text }) =>
        text === 'down' || TURNED_OFF.has(text) || OFF.has(text) || (isSwitch(text) && !ENABLED.has(text)),
    ) || switchedIn(clause)?.isOn === false
  )
}

/** `new_checkout`, `robot.batch`, `SEARCH_V2`: a name in one piece, and no path. */
function isSwitchName({ kind, text }: Token): boolean {
  return kind === 'name' && SWITCH_NAME.test(text)
}

const SWITCH_NAME = /^\p{L}[\p{L}\d]*(?:[._-][\p{L}\d]+)+$/u

/** Whether a word says `on` or `off`; null: neither. */
function stateAt(tokens: readonly Token[], at: number): boolean | null {
  const { text } = tokens[at] ?? { text: '' }
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  // `was off in March`: how it was before says nothing of now.
  if (before !== undefined && WAS.has(before.text) && !MAY_BE_DONE.has(text)) return null
  if (isSwitch(text)) return ENABLED.has(text)
  if (ON.has(text)) return true
  if (OFF.has(text)) return false
  // `serves all but two shops` is cut before `but`.
  if (SERVES.has(text) && EVERY.has(next?.text ?? ''))
    return next?.text === 'all' && !tokens[at + 2] ? null : true
  if (text === 'rolled') return ROLLED.get(next?.text ?? '') ?? null
  const isOn = TURNED_ON.has(text)
  if (!isOn && !TURNED_OFF.has(text)) return null
  // `rolled back on Monday`
  if (tokens[at - 2]?.text === 'rolled') return null
  const isTold = before !== undefined && (TURNS.has(before.text) || (before.classes & W.copula) !== 0)
  if (!isTold || next === undefined) return isTold ? isOn : null
  // `is on the list`, `ist aus Berlin`, `ging an alle Kunden`
  const isPlace = next.isContent || EVERY.has(next.text)
  return (next.classes & W.article) !== 0 || (isPlace && PREPOSITIONS.has(text)) ? null : isOn
}

function casesIn(tokens: readonly Token[], name: Token): readonly string[] {
  const why = tokens.findIndex(({ text }) => WHY.has(text))
  return tokens.slice(0, why < 0 ? tokens.length : why).flatMap((token, at) => {
    const { text, key, isContent, classes } = token
    const [twoBefore, before, next] = [tokens[at - 2], tokens[at - 1], tokens[at + 1]]
    if (!isContent || token === name || (classes & W.when) !== 0) return []
    if (stateAt(tokens, at) !== null || NOUNS.has(text) || TURNS.has(text)) return []
    // `on March 25`, `on 4 May`
    if ([before, token, next].some((near) => near !== undefined && isDate(near))) return []
    // `for everybody`, `for all users`, `pour tous les clients`; `for all guests` is said of some
    const isOfAll =
      (USERS.has(text) || SORTS.has(text)) && [twoBefore, before].some((near) => EVERY.has(near?.text ?? ''))
    return isOfAll || EVERY.has(text) ? [] : [key]
  })
}

/** Where a switch counts when nothing else is said, and what one is called. */
const NOUNS = wordSet(`
  production prod produktion produktiv producción produção produzione productie config configuration konfiguration configuración configuração configurazione
  flag flags feature features toggle switch setting option schalter funktion option fonctionnalité opción función opção função opzione funzione optie functie флаг`)
const EVERY = wordSet(`
  all every everyone everybody everywhere alle allen jeden jede überall tous toutes partout todos todas tutti tutte iedereen overal все всех`)
const USERS = wordSet(`
  users members customers clients people visitors accounts nutzer benutzer anwender mitglieder kunden utilisateurs membres usuarios miembros clientes
  usuários membros utenti membri clienti gebruikers leden klanten пользователей клиентов`)
/** Many, but of one sort: what is on for all patients may be off for all students. */
const SORTS = wordSet(
  'tenants patients students pupils players readers subscribers drivers passengers shops stores companies organisations organizations teams',
)
const SERVES = wordSet('serves serving')
const UNTIL = wordSet('until till bis jusqu hasta até fino tot до')
const WAS = wordSet('was were been war waren était étaient estaba estaban estava estavam era erano')
const MAY_BE_DONE = wordSet('enabled activated disabled deactivated rolled')
const WHY = wordSet(
  'after because since nach weil seit après parce depuis después porque desde dopo perché da na omdat sinds',
)
const TURNS = wordSet(`
  turn turned turns back switch switched switches flip flipped set went goes stays remains ging gesetzt geschaltet steht passé mis pasó puesto passou messo ging gezet`)
/** `live` is read as `stay` where it is followed by `for` or `in`. */
const TURNED_ON = wordSet('on live stay an ein aan')
const TURNED_OFF = wordSet('off aus uit')
const PREPOSITIONS = wordSet('an aus aan uit')
const ROLLED: ReadonlyMap<string, boolean> = new Map([
  ['out', true],
  ['back', false],
])

/** Besides the words of `isSwitch`. */
const ON = wordSet(`
  true active aktiv eingeschaltet angeschaltet activée activo activa activado ativo ativa ativada attivo attiva attivato attivata actief ingeschakeld`)
const OFF = wordSet(`
  false inactive inaktiv ausgeschaltet abgeschaltet désactivée inactivo inactiva desactivado inativo inativa desativada disattivato disattivata inactief uitgeschakeld`)
