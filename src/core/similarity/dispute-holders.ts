import { type Clause, type Token } from './dispute-clause.ts'
import {
  differsInValue,
  isFiller,
  isIndefiniteAt,
  isSameForm,
  isSubjectOnly,
  leadOf,
} from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import type { Pair } from './dispute-pair.ts'
import { beginsDefinite, DEFINITE, IS } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Who holds what one holds: a role, a task that is given to somebody, the name of what there is one of.

/** One person or firm in place of another, where only one can be. */
export function differsInHolder(pair: Pair): boolean {
  const { earlier, later, laterRest, texts, shared, hasCue } = pair
  if (earlier.isNegated || later.isNegated) return false
  if (!isFiller(pair.earlierRest) || !isFiller(laterRest)) return false
  // What the later text says beside it is said: `Omar left the data team; its requests now go to Greta`.
  const earlierRest = hasCue
    ? pair.earlierRest.filter((token) => token.hasCapital || !texts.later.words.has(token.key))
    : pair.earlierRest
  if (earlierRest.length === 0 || ![...earlierRest, ...laterRest].every(isNamed)) return false
  if (differsInValue(pair)) return hasRole(earlier) && hasRole(later)
  if (isTheirs(earlier, earlierRest) && isTheirs(later, laterRest) && isSameForm(pair)) return true
  if (isTheOne(earlier, earlierRest) && isTheOne(later, laterRest) && isSameForm(pair)) return true
  if (later.hasNow && isDoer(earlier, earlierRest) && isDoer(later, laterRest) && isSameForm(pair))
    return true
  if (isAddressed(earlier, earlierRest) && isAddressed(later, laterRest) && (hasCue || !areSent(pair)))
    return shared.length > 1 || (hasCue && isSubjectOnly(pair))
  const isHolder = (clause: Clause, filler: readonly Token[]): boolean =>
    filler.every((token) => {
      const at = clause.tokens.indexOf(token)
      // `Public` calls are of one kind; `Clara` is a person.
      const isKind = (token.marks & (M.rival | M.side)) !== 0 && clause.tokens[at + 1]?.isContent === true
      return at < firstOf(clause, shared) && !isKind
    }) && hasOwnRole(clause, shared)
  return isHolder(earlier, earlierRest) && isHolder(later, laterRest)
}

/** `Milo has left, Greta plans the rota`: who did it is away, and somebody else does it. */
export function isLeftToOther({ earlier, later, shared, texts }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || later.isConditional) return false
  const holder = earlier.tokens.find(({ hasCapital, kind }) => hasCapital && kind === 'word')
  if (holder === undefined || shared.length === 0 || shared.includes(holder.key)) return false
  const isNew = ({ hasCapital, kind, isContent, key }: Token): boolean =>
    hasCapital && kind === 'word' && isContent && !texts.earlier.words.has(key)
  if (!isPersons(earlier, holder) || !later.tokens.some(isNew)) return false
  return texts.later.clauses.some(
    (clause) =>
      clause !== later &&
      clause.content.keys().next().value === holder.key &&
      ((clause.marks & (M.left | M.stops | M.news | M.hands)) !== 0 ||
        (shared.length > 1 && !isForAWhile(texts.later)) ||
        clause.tokens.some(({ text }) => AWAY.has(text))),
  )
}

/** `Milo is ill, Greta plans the rota until Monday`: it stays with Milo. */
function isForAWhile({ spelling }: DisputeReading): boolean {
  return spelling.some(
    (word, at) => FOR_A_WHILE.has(word) || (word === 'week' && spelling[at - 1] === 'this'),
  )
}

const FOR_A_WHILE = wordSet(`
  until till today tomorrow meantime meanwhile ill sick holiday holidays vacation trip leave absent away out while during weekend days back
  bis heute morgen urlaub krank solange vertritt vertretung jours absent absente congés vacances jusqu semaine lundi mardi mientras vacaciones baja hasta hoy ausente férias até enquanto
  vacanza ferie malato malata finché vakantie ziek zolang отпуске болеет пока`)

/** `Milo plans …`, `… is planned by Milo` */
function isPersons({ tokens }: Clause, name: Token): boolean {
  const at = tokens.indexOf(name)
  return at <= 1 || ((tokens[at - 1]?.classes ?? 0) & (W.by | W.copula)) !== 0
}

const AWAY = wordSet(
  'parental maternity paternity elternzeit mutterschutz joined abandoned moved maternité maternidad',
)

/** `Ines is the vet of the farm`: of which there is one. */
function isTheirs({ tokens }: Clause, [name]: readonly Token[]): boolean {
  const is = tokens.findIndex(({ text }) => IS.has(text))
  const before = tokens.slice(0, is)
  return (
    is > 0 &&
    is < 3 &&
    before.every((token) => token === name || token.hasCapital || (token.marks & M.title) !== 0) &&
    DEFINITE.has(tokens[is + 1]?.text ?? '') &&
    !tokens.some(({ text }) => ONE_OF_MANY.has(text)) &&
    isOfSomething(tokens.slice(is + 2), tokens.length)
  )
}

/** `Ines does the rota`: of what has an article one alone does it, unless many can. */
function isDoer({ tokens }: Clause, filler: readonly Token[]): boolean {
  const [, verb, article] = tokens
  return (
    filler.length === 1 &&
    filler[0] === tokens[0] &&
    DEFINITE.has(article?.text ?? '') &&
    verb !== undefined &&
    DOES.has(verb.text)
  )
}

const DOES = wordSet(`
  does handles runs leads keeps makes writes plans manages organises organizes orders pays checks reviews waters feeds cleans teaches trains signs approves maintains
  coordinates prepares cooks bakes drives books schedules updates owns chairs moderates edits
  macht leitet führt plant schreibt prüft betreut pflegt fait gère dirige tient hace lleva gestiona faz gere fa tiene gestisce doet leidt regelt`)

/** `The courier for returns is DHL`: of what has an article, or is ours, there is one, and the name is what it is. */
function isTheOne({ tokens }: Clause, filler: readonly Token[]): boolean {
  const is = tokens.findIndex(({ text }) => IS.has(text))
  const said = tokens
    .slice(is + 1)
    .filter(
      ({ classes, marks, text }) =>
        (classes & (W.article | W.now)) === 0 && (marks & M.title) === 0 && !OF_WHAT.has(text),
    )
  return (
    is > 1 &&
    (beginsDefinite(tokens) || isOfSomething(tokens, is)) &&
    !ONE_OF_MANY.has(tokens[is - 1]?.text ?? '') &&
    filler.length === said.length &&
    filler.every((token) => said.includes(token))
  )
}

/** `Incident commander for the outage is …` */
export function isOfSomething(tokens: readonly Token[], is: number): boolean {
  return tokens[0]?.isContent === true && tokens.slice(1, is).some(({ text }) => OF_WHAT.has(text))
}

const OF_WHAT = wordSet('of for von für de du des del para da do per di van voor')

/** Of whom there are several, or another one for each thing that is spoken of. */
const ONE_OF_MANY = wordSet(`
  colleague friend neighbour neighbor brother sister cousin child son daughter guest visitor member student employee customer client user teammate caller
  witness author winner speaker applicant candidate kollege kollegin freund freundin nachbar nachbarin bruder schwester gast mitglied kunde autor
  collègue ami amie voisin frère soeur invité client auteur colega amigo amiga vecino hermano hermana invitado cliente autor amico collega fratello`)

const ADDRESSES = wordSet(`
  ask contact call notify escalate send report assign route forward hand email ping tell go goes page belong belongs consult gehört gehören appartient pertenece pertence appartiene frage kontaktiere melde schicke
  demander contacter envoyer preguntar contactar enviar avisar perguntar contatar chiedere contattare vraag bel спроси обращаться отправлять`)

/** Whether a statement may name who holds something, or whom to ask; `classes` are those of all its words. */
export function mayNameHolder({ tokens }: Clause, classes: number): boolean {
  if ((classes & W.role) !== 0 || beginsDefinite(tokens)) return true
  if (isOfSomething(tokens, tokens.length)) return true
  return tokens.some(({ text }) => ADDRESSES.has(text))
}

/** One person is named as whom to ask, or to whom something goes. */
function isAddressed(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || !clause.tokens.some(({ text }) => ADDRESSES.has(text))) return false
  const lead = leadOf(clause, clause.tokens.indexOf(first))
  return lead !== null && ((lead.classes & W.to) !== 0 || ADDRESSES.has(lead.text))
}

/** `Send the report to Ines`: somebody else may get it, too. */
export function areSent({ earlier, later }: Pair): boolean {
  return [earlier, later].every(({ tokens }) => SENT.has(tokens[0]?.text ?? ''))
}

const SENT = wordSet(
  'send notify email forward mail invite schicke sende envoyez envoie envía manda envie invia stuur отправь',
)

function firstOf(clause: Clause, shared: readonly string[]): number {
  return Math.min(...shared.map((key) => clause.content.get(key) ?? Number.POSITIVE_INFINITY))
}

function hasRole(clause: Clause): boolean {
  return (clause.classes & W.role) !== 0
}

/** A role that both statements name, and not as one of several. */
function hasOwnRole(clause: Clause, shared: readonly string[]): boolean {
  return clause.tokens.some(
    (token, at) =>
      (token.classes & W.role) !== 0 && shared.includes(token.key) && !isIndefiniteAt(clause, at),
  )
}

export function isNamed(token: Token): boolean {
  return token.kind === 'word' && (token.hasCapital || token.text.charCodeAt(0) > 0x5ff)
}

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
  return TENDS.has(verb.text) || (IS.has(verb.text) && DEFINITE.has(next.text))
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
const TENDS = wordSet(`
  does handles owns runs leads manages maintains covers organises organizes coordinates plans writes draws keeps makes hosts teaches has holds carries
  drives cooks cleans edits translates designs tests reviews approves orders books feeds waters collects delivers repairs monitors moderates chairs answers trains bakes records publishes
  checks prepares supervises oversees macht betreut übernimmt pflegt leitet führt organisiert
  fait gère dirige lleva hace gestiona dirige fa gestisce faz gere trata cuida doet beheert`)
const GERMAN_DOES = wordSet('macht betreut übernimmt pflegt leitet führt organisiert erledigt verwaltet')
const GERMAN_THE = wordSet('das den die der unser unsere unseren')
