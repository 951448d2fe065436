import { classAt, DIGIT } from '../text/unicode.ts'
import { RIVALS } from './dispute-rivals.ts'
import { bitsByWord, CLASSES, classesOfWord, W } from './dispute-words.ts'
import {
  CONCORD_NEGATIONS,
  isFunctionWord,
  isNegation,
  listedWords,
  sideOf,
  spelledNumber,
  wordSet,
} from './fact-words.ts'

/** What is known of a word, looked up once. */
export interface WordInfo {
  /** Equal for inflections of one word. */
  readonly key: string
  /** Bits of `W`. */
  readonly classes: number
  /** Bits of `M`. */
  readonly marks: number
  /** Says what a clause is about, or its value. */
  readonly isContent: boolean
}

/** How a word works in a clause, a bit each. */
export const M = {
  negation: 1 << 0,
  /** Several negations of one sentence are one. */
  concord: 1 << 1,
  /** Part of what is said or denied, and no denial. */
  restriction: 1 << 2,
  firstCondition: 1 << 3,
  and: 1 << 4,
  /** `his`, `their`: of whom, only the sentence before says. */
  owned: 1 << 5,
  pronoun: 1 << 6,
  /** After a negation it says `no longer`. */
  more: 1 << 7,
  noLonger: 1 << 8,
  /** Of what happens each time: `is sent`. */
  present: 1 << 9,
  spelled: 1 << 10,
  /** Gives an order or a permission. */
  rule: 1 << 11,
  rival: 1 << 12,
  /** Has an opposite. */
  side: 1 << 13,
  /** What follows is done without. */
  instead: 1 << 14,
  /** Who is named before is no longer there. */
  left: 1 << 15,
  /** Says what can be done, not what is done. */
  possible: 1 << 16,
  /** Before `doing` it says `no longer`. */
  stops: 1 << 17,
  /** Before a thing it says that somebody else has it now. */
  hands: 1 << 18,
  /** `Dr`, `Frau`: stands before a name. */
  title: 1 << 19,
  /** A thing has one of it, which the word before tells: `in title case`. */
  styled: 1 << 20,
  /** Is so after it was otherwise. */
  again: 1 << 21,
  /** Adds to what was said. */
  addition: 1 << 22,
  /** Of one day only, unless it is so from then on. */
  today: 1 << 23,
  /** What follows somebody else had before. */
  takes: 1 << 24,
  /** Tells of something that is otherwise from then on. */
  news: 1 << 25,
  /** A rule by its name: `ban`, `requirement`. */
  ban: 1 << 26,
} as const

const TITLES =
  'dr prof docteur doctor doctora dottore dottoressa доктор mr mrs ms mme mlle madame monsieur herr herrn frau señor señora sr sra dra senhor senhora signor signora mevrouw meneer г-н г-жа'

const MARKS = {
  negation: `forbidden prohibited banned disallowed verboten interdit interdite prohibido prohibida proibido proibida vietato запрещено запрещён
     запрещен запрещена zabronione yasak 禁止 금지 不 没 沒 無 无 未 非 勿 不要 没有 ません ない 않 없 못 안 değil yok ليس لا`,
  restriction: `only except but unless without nur ausser ohne seulement sauf sans solo sólo salvo excepto sin só exceto sem eccetto senza только кроме без alleen
     zonder tylko bez other 只 仅 除了`,
  firstCondition: 'si se s als should once on',
  and: 'and or und oder et ou y и или lub ve veya 和 或 や と 및',
  owned: 'his her hers their theirs ihr sein seine',
  pronoun: `it its he she they this that these those there es er sie dies ce cela ils elles esto eso isto isso questo он она оно они это это which who
     where welche`,
  more: 'longer anymore more mehr plus più meer mais больше',
  noLonger: '不再 もはや 더이상',
  present: `is are isn't aren't be ser être essere get gets ist sind wird werden werde est sont es son se está están é são è sono viene vengono wordt worden zijn jest są`,
  rule: `must may allowed allow forbidden required require requires mandatory need needs never always policy rule prohibited permitted shall approval
     muss müssen darf dürfen erlaubt verboten pflicht braucht immer nie doit doivent peut interdit autorisé toujours jamais debe deben puede
     permitido prohibido siempre nunca deve devem pode proibido sempre permesso vietato moet mag altijd nooit должен должны можно
     нельзя запрещено разрешено всегда никогда musi wolno zawsze 必须 允许 禁止`,
  instead: 'instead rather statt anstatt anstelle lieu lugar vez invece plaats вместо zamiast',
  possible: `can could possible able optionally kann können möglich peut peuvent possible puede pueden posible pode podem possível può possono possibile
     kan kunnen mogelijk можно может возможно można może 可以 能 できます 수`,
  stops: 'stop stops stopped quit quits cease ceases ceased',
  hands:
    'handed hands passed übergab übergibt übergeben cedió cede traspasó transmet transmis cédé passou cedeu ceduto consegnato передал передала overgedragen passaram confié confiée confiés confiado confiada affidato affidata anvertraut toevertrouwd',
  takes: 'took taken takes übernimmt übernahm übernommen assumiu neemt nam',
  title: TITLES,
  addition: `also too additionally besides auch ebenfalls zusätzlich aussi également además también também anche inoltre ook также тоже też również 也 还 も`,
  today: "today tonight heute aujourd'hui hoy oggi hoje vandaag сегодня 今天 今日",
  again:
    'reopened resumed restored reinstated reactivated refonctionne remarche wiedereröffnet rouvert rouverte reabierto reabierta reaberto reaberta riaperto riaperta heropend',
  news: `sold merged divorced retired retires resigned withdrew withdrawn lapsed ended banned barred throttled trimmed pulled scrapped dropped stopped swapped traded exchanged reinstalled rebooked reassigned promoted appointed
     replaced lifted raised lowered transferred repaired fixed cancelled canceled postponed
     verkauft übernommen übernimmt getauscht gewechselt umgestellt hochgesetzt heraufgesetzt herabgesetzt heruntergesetzt umbenannt abgelöst abgeschaltet abgeschafft rutscht entfällt
     abgesagt gestrichen gekündigt aufgegeben repariert behoben ausgeschieden abgegeben umgezogen vorgezogen
     vendu vendue démissionné relevé relevée baissé baissée décalé décalée avancé avancée annulé annulée quitté arrêté arrêtée réparé réparée rouvert rouverte levé abandonné échangé repris reprend
     vendido vendida dimitido subido subida bajado bajada aplaza adelanta aplazado aplazada adelantado adelantada retrasado retrasada suspendido suspendida cambia arreglado reparado reparada
     reabierto reabierta levantado
     venduto venduta dimesso alzato alzata abbassato abbassata rinviata anticipato anticipata annullato annullata cambiata riparato riparata riaperto riaperta tolto smantellata smantellato
     verkocht gestopt uitgesteld vervroegd afgelast gewisseld gerepareerd heropend vertrokken overgenomen
     vendido passou deixou reabriu adiado adiada antecipado antecipada trocou trocaram consertado consertada
     продан продана уволился уволилась отремонтирован починили заменили отменили перенесли`,
  ban: `ban bans rule rules restriction restrictions prohibition requirement obligation warning embargo curfew verbot regel pflicht sperre auflage interdiction règle obligation
  prohibición norma obligación divieto regola obbligo proibição regra obrigação verbod verplichting`,
  styled:
    'case tense style format mode layout font template tone spelling notation alignment theme stil modus schrift',
  left: 'left quit resigned withdrew verliess verlassen quitté dejó deixou lasciato verliet ушёл ушел ушла покинул',
} satisfies Partial<Readonly<Record<keyof typeof M, string>>>

const TITLE_WORDS = wordSet(TITLES)

const PLURALS =
  W.change | W.gone | W.light | W.slot | W.label | W.measure | W.located | W.role | W.when | W.qualifier

const CONTENT = W.role | W.slot | W.date | W.label | W.qualifier
const SILENT =
  W.measure |
  W.copula |
  W.light |
  W.article |
  W.located |
  W.prefers |
  W.plan |
  W.correction |
  W.change |
  W.gone |
  W.joint |
  W.now
const LEADS = W.placing | W.means | W.from | W.to

/** Of verbs that keep no stem, the stem of their present. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `named named rebuilt rebuild taught teach kept keep sold sell bought buy written writ wrote writ driven driv drove driv chosen choos chose choos held hold sent send led lead spoken speak worn wear
   grown grow paid pay fed feed met meet built build made mak given giv drawn draw shown show done do caught catch brought bring eaten eat lent lend`
    .split(/\s+/)
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1] ?? word] as const] : [])),
)

const RUSSIAN_ENDING = /(?:[оеё]в|[ая]м[и]?|[ая]х|[оеё][мй]|[аеёиоуыэюяйь]{1,2})$/u

/** Of each listed word; a run without spaces is cut there. */
export const INFOS: ReadonlyMap<string, WordInfo> = infosByWord()

/** Looks a word in small letters up, once for all that is asked of it. */
export function infoOf(word: string): WordInfo {
  const known = INFOS.get(word)
  if (known !== undefined) return known
  const isDenial = word.endsWith("n't")
  return { key: stemOf(word), classes: 0, marks: isDenial ? M.negation : 0, isContent: !isDenial }
}

function infosByWord(): ReadonlyMap<string, WordInfo> {
  const marks = bitsByWord(M, MARKS)
  const words = new Set([...marks.keys(), ...CLASSES.keys(), ...listedWords(), ...RIVALS.keys()])
  const infos = new Map<string, WordInfo>()
  for (const word of words) infos.set(word, describe(word, classesOfWord(word), marks.get(word) ?? 0))
  for (const word of words) {
    const classes = classesOfWord(word) & (W.change | W.gone)
    if (classes === 0) continue
    for (const form of participlesOf(word))
      if (!infos.has(form)) infos.set(form, describe(form, classes, marks.get(word) ?? 0))
  }
  // What stays the same word when it takes an s.
  for (const word of words) {
    const classes = classesOfWord(word) & PLURALS
    if (classes !== 0 && !infos.has(`${word}s`)) infos.set(`${word}s`, describe(`${word}s`, classes, 0))
  }
  return infos
}

/** `spostato` and `spostata`, `déplacé` and `déplacées`: of one participle its forms. */
function participlesOf(word: string): readonly string[] {
  const stem = word.slice(0, -1)
  if (/[aiu]to$/.test(word)) return ['a', 'i', 'e'].map((end) => stem + end)
  if (/[ai]do$/.test(word)) return ['a', 'os', 'as'].map((end) => stem + end)
  return word.length > 4 && word.endsWith('é') ? ['e', 's', 'es'].map((end) => word + end) : []
}

function describe(word: string, classes: number, listed: number): WordInfo {
  let marks = listed
  const isRestriction = (listed & M.restriction) !== 0
  if (CONCORD_NEGATIONS.has(word) && !isRestriction) marks |= M.concord
  if (isNegation(word) && !isRestriction) marks |= M.negation
  if (spelledNumber(word) !== null) marks |= M.spelled
  if (RIVALS.has(word)) marks |= M.rival
  if (sideOf(word) !== null) marks |= M.side
  const isDenial = (marks & (M.negation | M.concord)) !== 0
  return {
    key: stemOf(withoutFeminine(word, classes)),
    classes,
    marks,
    isContent: !isDenial && !isRestriction && (listed & M.addition) === 0 && !isSilent(word, classes),
  }
}

/** `Ansprechpartnerin` holds what `Ansprechpartner` holds. */
function withoutFeminine(word: string, classes: number): string {
  const stem = word.slice(0, -2)
  return (classes & W.role) !== 0 && word.endsWith('in') && (classesOfWord(stem) & W.role) !== 0 ? stem : word
}

/** Says nothing about what a clause is about. */
function isSilent(word: string, classes: number): boolean {
  if (TITLE_WORDS.has(word)) return true
  if (sideOf(word)?.axis === 'order') return false
  if ((classes & CONTENT) !== 0 && !isFunctionWord(word)) return false
  return (classes & (SILENT | LEADS)) !== 0 || isFunctionWord(word)
}

/** One form of the inflections of a word, by its ending: right for most, and the same for both texts when wrong. */
function stemOf(word: string): string {
  const regular = IRREGULAR.get(word)
  if (regular !== undefined) return regular
  const size = word.length
  if (size < 4) return word
  if (word.charCodeAt(0) > 0x3ff) return size > 4 ? word.replace(RUSSIAN_ENDING, '') : word
  let stem = word
  if (word.endsWith('s') && !'sui'.includes(word.charAt(size - 2)) && /[aeiouy]/.test(word))
    stem = size > 4 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (size > 4 && stem.endsWith('ied')) stem = `${stem.slice(0, -3)}y`
  else if ((size > 5 && stem.endsWith('ing')) || (size > 4 && stem.endsWith('ed') && !stem.endsWith('eed')))
    stem = withoutEnding(stem)
  // `cookie` and `cookies`
  if (size > 4 && stem.endsWith('ie')) return `${stem.slice(0, -2)}y`
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

/** `planned` and `planning` are `plan`; `red` and `thing` are what they are. */
function withoutEnding(word: string): string {
  const cut = word.slice(0, word.endsWith('ed') ? -2 : -3)
  if (cut.length < 3 || !/[aeiouy]/.test(cut)) return word
  return 'bdgmnprt'.includes(cut.charAt(cut.length - 1)) && cut.at(-1) === cut.at(-2) ? cut.slice(0, -1) : cut
}

/** A statement that has one of these is Portuguese: its `no` is `in the`. */
const PORTUGUESE = wordSet('o os da das dos ao aos é são uma em fica ficam')

export function isPortuguese(tokens: readonly { readonly text: string }[]): boolean {
  return tokens.some(({ text }) => PORTUGUESE.has(text))
}

/** `off-peak`, `on-prem`, `node-a`: another thing each. */
const OTHER =
  /^(?:off-(?!limits)|on-(?!call)|in-|out-of-|semi-|ex-|sub-|anti-)\p{L}{3,}$|^\p{L}{3,}-(?!in$|up$|on$|to$|by$|me$|or$)[a-z]{1,2}$/u
const NON = /^(?:non|nicht)-\p{L}/u
const ELISION = /^(?:[ldjsmtnc]|qu)'(?=.)/u
const CONTRACTED = /n't$|^[a-z]+'(?:ll|m|ve|d|re)$/

/** The words of a compound in small letters: `don't` and what is listed is one. */
export function wordsOfCompound(lower: string, isFirst = false): readonly string[] {
  if (!/[-'.:,]/.test(lower)) return [lower]
  if (CONTRACTED.test(lower) || INFOS.has(lower)) return [lower]
  // `Non-members pay` speaks of others than members, and denies nothing.
  if ((isFirst && NON.test(lower)) || OTHER.test(lower)) return [lower.replace('-', '')]
  const elision = ELISION.exec(lower)?.[0] ?? ''
  const rest = lower
    .slice(elision.length)
    .replace(/'\p{L}{1,2}$/u, '')
    .split(/[-'.:,]+/)
  return elision === "n'" ? ['ne', ...rest] : rest
}

/** Words before a version. */
export const VERSION_WORDS: ReadonlySet<string> = wordSet(
  'version versión versão versione versie version версия версии версию wersja release v 版本 バージョン 버전',
)

export const DIGIT_SHAPE = 1
export const NAME_SHAPE = 2
export const DOT_SHAPE = 4
const JOINT_SHAPE = 8

/** What besides letters a word holds; 0 for most words. */
export function shapeOf(word: string): number {
  let shape = 0
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at)
    if (code >= 0x61) {
      if (code > 0x7f && classAt(word, at) === DIGIT) shape |= DIGIT_SHAPE
    } else if (code >= 0x30 && code <= 0x39) shape |= DIGIT_SHAPE
    else if (code === 0x2e) shape |= DOT_SHAPE
    else if (code === 0x5f || code === 0x2f || code === 0x40 || code === 0x23) shape |= NAME_SHAPE
    else if (code === 0x3a && word.charCodeAt(at + 1) === 0x3a) shape |= NAME_SHAPE
    else shape |= JOINT_SHAPE
  }
  return shape
}
