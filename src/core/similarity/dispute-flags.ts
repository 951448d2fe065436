import type { Clause, Token } from './dispute-clause.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// `The flag new_checkout is off`: what one name stands for is switched on or off.

/** What a statement says of a switch. */
interface Switched {
  /** The key of its name. */
  readonly name: string
  readonly isOn: boolean
  /** Where, or for whom alone: words that neither name the switch, nor say that it is on or off, nor when. */
  readonly cases: readonly string[]
}

/** `The flag new_checkout is off` and `new_checkout went live for all users`: on in one, off in the other, in no other case. */
export function isSwitchedOver({ earlier, later }: Pair): boolean {
  const [one, other] = [switchedIn(earlier), switchedIn(later)]
  if (one === null || other === null || one.name !== other.name || one.isOn === other.isOn) return false
  return one.cases.length === other.cases.length && one.cases.every((word) => other.cases.includes(word))
}

/** What a statement says of one switch; null: of none, of several, or not whether it is on. */
export function switchedIn({ tokens, isNegated, isConditional, isPromise, isWish }: Clause): Switched | null {
  if (isConditional || isPromise || isWish) return null
  const named = tokens.findIndex(isSwitchName)
  const name = tokens[named]
  if (name === undefined || tokens.some((token, at) => at > named && isSwitchName(token))) return null
  const states = tokens.flatMap((_, at) => stateAt(tokens, at) ?? [])
  const [isOn] = states
  if (isOn === undefined || states.includes(!isOn) || (isNegated && !isOn)) return null
  return { name: name.key, isOn: isOn !== isNegated, cases: casesIn(tokens, name) }
}

/** `new_checkout`, `robot.batch`, `SEARCH_V2`: a name in one piece, and no path. */
function isSwitchName({ kind, text }: Token): boolean {
  return kind === 'name' && SWITCH_NAME.test(text)
}

const SWITCH_NAME = /^\p{L}[\p{L}\d]*(?:[._-][\p{L}\d]+)+$/u

/** Whether a word says `on` or `off`; null: neither. */
function stateAt(tokens: readonly Token[], at: number): boolean | null {
  const { text } = tokens[at] ?? { text: '' }
  if (ON.has(text)) return true
  if (OFF.has(text)) return false
  if (text === 'rolled') return ROLLED.get(tokens[at + 1]?.text ?? '') ?? null
  const isOn = TURNED_ON.has(text)
  if (!isOn && !TURNED_OFF.has(text)) return null
  const before = tokens[at - 1]
  const isTold = before !== undefined && (TURNS.has(before.text) || (before.classes & W.copula) !== 0)
  // `is on the list`
  return isTold && ((tokens[at + 1]?.classes ?? 0) & W.article) === 0 ? isOn : null
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
    // `for everybody`, `for all users`, `pour tous les clients`
    return [twoBefore, before, token].some((near) => EVERY.has(near?.text ?? '')) ? [] : [key]
  })
}

/** Where a switch counts when nothing else is said, and what one is called. */
const NOUNS = wordSet(`
  production prod produktion produktiv producción produção produzione productie config configuration konfiguration configuración configuração configurazione
  flag flags feature features toggle switch setting option schalter funktion option fonctionnalité opción función opção função opzione funzione optie functie флаг`)
const EVERY = wordSet(`
  all every everyone everybody everywhere alle allen jeden jede überall tous toutes partout todos todas tutti tutte iedereen overal все всех`)
const WHY = wordSet(
  'after because since nach weil seit après parce depuis después porque desde dopo perché da na omdat sinds',
)
const TURNS = wordSet(`
  turn turned turns out back switch switched switches flip flipped set went goes stays remains ging gesetzt geschaltet steht passé mis pasó puesto passou messo ging gezet`)
/** `live` is read as `stay` where it is followed by `for` or `in`. */
const TURNED_ON = wordSet('on live stay an ein aan')
const TURNED_OFF = wordSet('off aus uit')
const ROLLED: ReadonlyMap<string, boolean> = new Map([
  ['out', true],
  ['back', false],
])

const ON = wordSet(`
  true enabled active activated aktiv aktiviert eingeschaltet angeschaltet activé activée activo activa activado activada ativo ativa ativado ativada
  attivo attiva attivato attivata abilitato actief ingeschakeld включён включен`)
const OFF = wordSet(`
  false disabled inactive deactivated inaktiv deaktiviert ausgeschaltet abgeschaltet désactivé désactivée inactivo inactiva desactivado desactivada inativo
  inativa desativado desativada disattivato disattivata disabilitato inactief uitgeschakeld выключен отключён отключен`)
