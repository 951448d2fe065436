import type { Clause, Token } from './dispute-clause.ts'
import { isNamed } from './dispute-holders.ts'
import { isFiller, isSubjectOnly, leadOf } from './dispute-kinds.ts'
import type { Pair } from './dispute-pair.ts'
import { DEFINITE, IS } from './dispute-parts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Where something is, and where it is now.

/** Where something is: another place behind `in`, `under`, `to`. */
export function differsInPlace(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared, hasCue } = pair
  if (earlier.isNegated || later.isNegated || !isFiller(earlierRest) || !isFiller(laterRest)) return false
  if (isPathText(earlierRest) !== isPathText(laterRest) && !pair.hasCue) return false
  if (isElsewhere(pair)) return true
  if (!hasCue && isOfOtherDoing(pair)) return false
  const hasMoved = later.changeAt >= 0
  if (!isPlaced(earlier, earlierRest, hasMoved) || !isPlaced(later, laterRest, hasMoved, hasMoved))
    return (
      (shared.length > 1 || isSubjectOnly(pair)) &&
      ((isKept(earlier, earlierRest) &&
        isKept(later, laterRest) &&
        earlierRest.every(isNamed) === laterRest.every(isNamed)) ||
        (hasCue && isDoneIn(earlier, earlierRest) && isDoneIn(later, laterRest)))
    )
  return shared.length > 1 || isSubjectOnly(pair)
}

/** `lives in Kiel` and `works in Bonn`: each is in a place of its own. */
function isOfOtherDoing({ earlier, later }: Pair): boolean {
  const says = ({ tokens }: Clause, words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text))
  return (says(earlier, LIVES) && says(later, WORKS)) || (says(earlier, WORKS) && says(later, LIVES))
}

const LIVES = wordSet(
  'live lives wohnt wohnen habite habitent vive viven vivono mora woont wonen живёт живет',
)
const WORKS = wordSet('work works arbeitet arbeiten travaille trabaja trabalha lavora werkt werken работает')

/** `The trolley is kept by the lift` and `The trolley was moved to the attic`: it is not where it was. */
function isElsewhere({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (!MOVED.has(later.tokens[later.changeAt]?.text ?? '') || !mayStand(earlier)) return false
  const first = earlierRest.find(({ text, classes }) => !RUNS.has(text) && (classes & W.placing) === 0)
  if (first === undefined) return false
  const at = earlier.tokens.indexOf(first)
  const lead = leadToPlace(earlier, at)
  if (lead === null || (lead.classes & (W.placing | W.to)) === 0) return false
  if (!shared.every((key) => (earlier.content.get(key) ?? at) < at)) return false
  const to = later.tokens.findIndex(
    ({ classes, text }, place) =>
      place > later.changeAt && (TO.has(text) || (classes & W.to & ~W.placing) !== 0),
  )
  return to > 0 && laterRest.every((token) => later.tokens.indexOf(token) > to)
}

const TO = wordSet('to into nach zum zur in à au vers a al hacia para naar в на')
const MOVED = wordSet(`
  moved relocated transferred shifted migrated migriert migré migrée migrado migrada migrato verlegt umgezogen verschoben verlagert déplacé déplacée déplacés transféré trasladado trasladada movido movida
  transferido spostato spostata trasferito trasferita verplaatst verhuisd перенесён перенесен перенесена перемещён`)

/** Whether it says in which place something is. */
export function mayStand({ tokens, classes }: Clause): boolean {
  if ((classes & W.placing) === 0) return false
  return (classes & (W.located | W.copula)) !== 0 || tokens.some(({ text }) => RUNS.has(text))
}

/** What a service does where it is. */
const RUNS = wordSet(
  'happens happen held runs run läuft laufen tourne tournent corre corren roda rodam gira girano draait draaien работает',
)

/** Whether it says that something was brought to another place. */
export function mayHaveMoved({ tokens, changeAt }: Clause): boolean {
  return MOVED.has(tokens[changeAt]?.text ?? '')
}

/** `in compressed form`, `unter Strom`: how it is, not where. */
export function isAbstract({ text }: Token): boolean {
  return ABSTRACT.has(text)
}

const ABSTRACT = wordSet(`
  form style mode use progress transit motion danger order pieces power parallel sequence detail general advance batches chunks strom form weise stil betrieb gefahr arbeit ordnung
  forme style marche cours forma estilo marcha modo corso stijl vorm`)

const KEPT_WORDS_MAX = 3

/** `The spare key is kept at the reception`: one thing, kept in one place. */
function isKept(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || filler.length > KEPT_WORDS_MAX || !mayBeKept(clause)) return false
  const at = clause.tokens.indexOf(first)
  const lead = leadOf(clause, at)
  if (lead === null || (lead.classes & W.placing) === 0 || filler.some(isAbstract)) return false
  // Many people can be in as many towns.
  if (clause.tokens.some(({ text }) => SEVERAL.has(text)) && filler.some(isNamed)) return false
  // Nothing of both stands behind the place.
  return clause.tokens.slice(at).every((token) => !token.isContent || filler.includes(token))
}

export function mayBeKept({ tokens, classes }: Clause): boolean {
  if (!DEFINITE.has(tokens[0]?.text ?? '')) return false
  // `The spare keys are in the safe`
  const is = tokens.findIndex(({ text }) => IS.has(text) || SEVERAL.has(text))
  if (is > 1 && ((tokens[is + 1]?.classes ?? 0) & W.placing) !== 0) return true
  return (
    ((classes & W.located) !== 0 && tokens.some(({ text }) => IS.has(text))) ||
    tokens.some(({ text }) => STANDS.has(text))
  )
}

/** Says of one thing where it is. */
const STANDS = wordSet(
  'hangs lies sits stands hängt liegt steht está pend cuelga hangt staat ligt висит лежит стоит',
)

/** `Draw diagrams in Inkscape`: what an order does something in. */
function isDoneIn(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  const lead = first === undefined ? null : leadOf(clause, clause.tokens.indexOf(first))
  return (
    lead !== null &&
    (lead.classes & W.placing) !== 0 &&
    filler.every((token) => token.kind === 'name' || isNamed(token))
  )
}

function isPathText(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.kind === 'name')
}

function isPlaced(clause: Clause, filler: readonly Token[], hasMoved: boolean, isMove = false): boolean {
  const [first] = filler
  if (first === undefined) return false
  const at = clause.tokens.indexOf(first)
  const lead = leadToPlace(clause, at)
  if (lead === null) return false
  const isDense = lead.text.charCodeAt(0) > 0x2e7f
  const leading = W.placing | W.to | W.from | (isDense ? W.located | W.change : 0)
  // A field of a path: `Templates: mail/old`.
  const isLed = (lead.classes & leading) !== 0 || (lead.kind === 'sign' && isPathText(filler))
  const isPlace = filler.some((token) => token.kind !== 'word' || isNamed(token))
  if (!isLed || !isPlace || filler.some(isAbstract)) return false
  if (isMove) return true
  const isSource = clause.tokens.some(({ text }) => COMES.has(text))
  if (isSource && !isPathText(filler) && !DEFINITE.has(clause.tokens[0]?.text ?? '')) return false
  if ((clause.classes & W.located) !== 0) return true
  if (isPathText(filler) && (lead.kind === 'sign' || clause.tokens.some(({ text }) => GOES.has(text))))
    return true
  const leadAt = clause.tokens.indexOf(lead)
  const before = clause.tokens[leadAt - 1]
  if (before === undefined || (before.classes & W.copula) === 0) return false
  // Many people can be in as many countries, until they move.
  return hasMoved || isPathText(filler) || !SEVERAL.has(before.text) || (clause.classes & W.slot) !== 0
}

/** As `leadOf`, past a noun that says of what kind the place is: `on host m1`, `im Ordner alt`. */
function leadToPlace(clause: Clause, at: number): Token | null {
  const lead = leadOf(clause, at)
  return lead !== null && CONTAINERS.has(lead.text) ? leadOf(clause, clause.tokens.indexOf(lead)) : lead
}

const CONTAINERS = wordSet(`
  host server node machine cluster folder directory file bucket room hall building floor wing bay shelf rack drawer cabinet region branch ordner halle regal schrank schublade fach etage stockwerk gang verzeichnis datei raum gebäude rechner
  serveur dossier répertoire fichier salle bâtiment servidor carpeta directorio archivo sala edificio cartella edificio pasta arquivo map kamer папке сервере`)

const GOES = wordSet('go goes geht gehen va vont van vanno vai vão gaat gaan')

/** Much comes from many places; what is ours has its source. */
const COMES = wordSet('come comes kommt kommen vient viennent viene vienen vem vêm komt komen')

const SEVERAL = wordSet('are sind sont son están são estão sono zijn są')
