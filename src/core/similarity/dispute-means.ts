import type { Clause, Token } from './dispute-clause.ts'
import { isNamed } from './dispute-holders.ts'
import { isSameForm } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// With what something is done, or what is run for it.

/** Another way to do the same: what follows `with`, or what `use` takes, differs. */
export function differsInMeans(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated || earlier.isPersonal || later.isPersonal) return false
  const isMeans = (clause: Clause, rest: readonly Token[]): boolean => {
    const means = meansAt(clause)
    // `proceed with booking` names another step, not another means.
    if (clause.tokens[means + 1]?.text.endsWith('ing') === true) return false
    if (clause.tokens.some(({ classes }, at) => at > means && (classes & W.copula) !== 0)) return false
    return (
      means > 0 &&
      rest.length > 0 &&
      rest.length <= 6 &&
      // `with Sara on 3 June` and `with Sara on 10 June` name one means.
      clause.tokens.slice(means + 1).find(({ isContent }) => isContent) === rest[0] &&
      !rest.some(isDate)
    )
  }
  if (!isMeans(earlier, earlierRest) || !isMeans(later, laterRest)) return false
  // `with pip on Linux` and `with brew on a Mac`
  if (hasOwnPlace(earlier, earlierRest) && hasOwnPlace(later, laterRest)) return false
  if (shared.length > 1)
    return isOrder(earlier) || isOrder(later) || (isWorked(earlier, earlierRest) && isSameForm(pair))
  return isOrder(earlier) && isOrder(later)
}

function hasOwnPlace({ tokens }: Clause, rest: readonly Token[]): boolean {
  return rest.some((token) => {
    const at = tokens.indexOf(token)
    const lead = ((tokens[at - 1]?.classes ?? 0) & W.article) === 0 ? tokens[at - 1] : tokens[at - 2]
    return ((lead?.classes ?? 0) & (W.placing | W.means)) === W.placing
  })
}

/** What is done each time in one way: with one tool, or by whom it is given to. */
function isWorked(clause: Clause, filler: readonly Token[]): boolean {
  const isByWhom =
    BY.has(clause.tokens[meansAt(clause)]?.text ?? '') &&
    filler.every((token) => isNamed(token) || TEAMS.has(token.text))
  return (
    clause.tokens.some(({ text }) => WORKED.has(text) || (isByWhom && GIVEN.has(text))) ||
    (isByWhom && isDoneAlone(clause))
  )
}

/** `are cleaned by Clearview`; what is used or visited by one may be by others. */
function isDoneAlone({ tokens, marks }: Clause): boolean {
  const by = tokens.findIndex(({ text }) => text === 'by')
  const done = tokens[tokens[by - 1]?.text === 'out' ? by - 2 : by - 1]?.text ?? ''
  return (marks & M.present) !== 0 && done.endsWith('ed') && !SHARED.has(done)
}

const SHARED = wordSet(`
  used visited liked loved attended joined supported required needed requested wanted shared signed read watched followed affected covered inspired caused blocked surrounded
  recommended mentioned quoted cited tested hosted`)

const TEAMS = wordSet('team group department office squad équipe equipo equipe gruppe abteilung')
const BY = wordSet('by von par por da door')
/** What one does alone. */
const GIVEN = wordSet(
  'taught led owned unterrichtet geleitet enseigné dirigé impartido dirigido insegnato diretto',
)

const WORKED = wordSet(`
  built compiled tested linted formatted deployed released started restarted start run runs installed packaged seeded generated migrated monitored
  scheduled rendered exported imported parsed hosted served encrypted hashed translated managed handled processed maintained approved validated
  operated administered supervised coordinated designed written drawn edited tracked provisioned configured conducted directed presented reset rebuilt reloaded printed created
  calculated computed done organised organized taken triggered dispatched launched invoked baked reindexed
  gebaut kompiliert getestet formatiert ausgeliefert gestartet startet installiert erzeugt erstellt verwaltet betreut bearbeitet genehmigt freigegeben
  überwacht gehostet verschlüsselt übersetzt berechnet gedruckt läuft laufen
  compilé construit testé déployé démarré lancé généré installé géré traité validé approuvé hébergé chiffré traduit calculé imprimé
  compilado construido probado desplegado iniciado generado instalado gestionado tramitado validado aprobado alojado cifrado traducido calculado impreso
  construído testado implantado gerado instalado gerido gerenciado processado aprovado hospedado traduzido calculado
  compilato costruito testato generato installato gestito approvato ospitato tradotto calcolato
  gebouwd getest gestart beheerd verwerkt goedgekeurd
  собирается запускается тестируется управляется обрабатывается утверждается`)

const CALLING = wordSet('running calling executing')

/** Where a word stands that leads to a means, -1: nowhere. */
export function meansAt({ tokens }: Clause): number {
  const at = tokens.findIndex(({ classes }, place) => place > 0 && (classes & W.means) !== 0)
  return CALLING.has(tokens[at + 1]?.text ?? '') ? at + 1 : at
}

/** Begins with the verb. */
export function isOrder({ tokens, marks, classes }: Clause): boolean {
  const [first, second] = tokens
  if (first?.isContent !== true || first.kind !== 'word' || first.text.endsWith('ing')) return false
  if ((marks & M.present) !== 0 || (classes & W.copula) !== 0) return false
  return !ACCOMPANIED.has(second?.text ?? '')
}

/** Verbs of which `with` names company or a part, not a means. */
const ACCOMPANIED = wordSet(`
  works comes travels goes lives plays meets talks shares deals starts ends opens agrees competes sits flies arrives appears sings dances trains
  work come travel go live play meet talk share deal start end open agree compete sit fly arrive appear arbeitet kommt reist lebt spielt spricht
  travaille vient voyage vit joue trabaja viene viaja vive juega trabalha vem viaja vive lavora viene viaggia vive gioca`)
