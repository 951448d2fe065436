import type { Clause, Token } from './dispute-clause.ts'
import { DEFINITE } from './dispute-parts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Who has a task: the ways to say that it is one person's.

/** `sits with Ines`, `rota: Ines`, `ask Ines about the rota`: it is with that person, and with no other. */
export function isHeldBy({ tokens }: Clause, [name]: readonly Token[]): boolean {
  return name !== undefined && isHeldAt(tokens, tokens.indexOf(name))
}

function isHeldAt(tokens: readonly Token[], at: number): boolean {
  let leadAt = at - 1
  while (leadAt > 0 && (isTitle(tokens[leadAt]) || isArticle(tokens[leadAt]))) leadAt -= 1
  const lead = tokens[leadAt]
  const before = tokens[leadAt - 1]
  if (lead === undefined) return false
  if (ASKS.has(lead.text)) return leadAt === 0 || before?.kind === 'sign' || tokens[0]?.text === 'for'
  if (before === undefined) return false
  // `is Bo's job`, `is in Bo's hands`
  const next = tokens[at + 1]?.text ?? ''
  if (JOBS.has(next) && (lead.classes & W.copula) !== 0) return true
  if (HANDS.has(next) && (lead.classes & W.placing) !== 0) return true
  if (lead.kind === 'sign') return tokens.slice(at).every(({ hasCapital }) => hasCapital)
  if (WITH.has(lead.text)) return SITS.has(before.text)
  // `para a Inês`
  if ((lead.classes & W.to) !== 0)
    return (
      FALLS.has(before.text) || ((before.classes & W.to) !== 0 && FALLS.has(tokens[leadAt - 2]?.text ?? ''))
    )
  // `Die Kasse macht Ines`: what is done stands first.
  return at === tokens.length - 1 && GERMAN_DOES.has(lead.text) && GERMAN_THE.has(tokens[0]?.text ?? '')
}

/** `para o Tiago`, not the `o` that leads to somebody by itself. */
function isArticle(token: Token | undefined): boolean {
  return token !== undefined && (token.classes & (W.article | W.to | W.placing)) === W.article
}

function isTitle(token: Token | undefined): boolean {
  return token !== undefined && token.hasCapital && !token.isContent
}

/** `Ines does the rota`, `Ines is the early baker`, `Ines is the one who opens`: who is named first has it. */
export function isHolding({ tokens }: Clause, name: readonly Token[]): boolean {
  const [first] = name
  const at = first === undefined ? -1 : tokens.indexOf(first)
  if (at < 0 || tokens.slice(0, at).some(({ isContent }) => isContent)) return false
  const verb = tokens[at + name.length]
  const next = tokens[at + name.length + 1]
  if (verb === undefined || next === undefined) return false
  return DOES.has(verb.text) || (IS.has(verb.text) && DEFINITE.has(next.text))
}

/** Whether a statement may say that a task is one person's. */
export function mayBeHeld({ tokens }: Clause): boolean {
  return tokens.some(
    ({ kind, hasCapital }, at) => at > 0 && hasCapital && kind === 'word' && isHeldAt(tokens, at),
  )
}

/** Whom to ask about one thing may be another than who does it. */
export function isAsking({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => ASKS.has(text))
}

const ASKS = wordSet(
  'ask contact call ping email message frage fragen demander demandez pregunta preguntar chiedi vraag',
)
const JOBS = wordSet('job task responsibility duty')
const HANDS = wordSet('hands care desk plate')
const WITH = wordSet('with bei chez')
const SITS = wordSet('sits lies rests stays remains liegt bleibt')
const FALLS = wordSet(
  'belongs falls passes passed moved went goes transferred down geht gehört passou passaram pasó pasaron',
)
const DOES = wordSet(`
  does handles owns runs leads manages maintains covers organises organizes coordinates plans writes draws keeps makes hosts teaches has holds carries
  drives cooks cleans edits translates designs tests reviews approves orders books feeds waters collects delivers repairs monitors moderates chairs answers trains bakes records publishes
  checks prepares supervises oversees macht betreut übernimmt pflegt leitet führt organisiert
  fait gère dirige lleva hace gestiona dirige fa gestisce faz gere trata cuida doet beheert`)
const GERMAN_DOES = wordSet('macht betreut übernimmt pflegt leitet führt organisiert erledigt verwaltet')
const GERMAN_THE = wordSet('das den die der unser unsere unseren')
const IS = wordSet('is ist')
