import { type Finding, findingOf } from './finding.ts'
import type { Sign } from './phrases.ts'
import { isInstructing, type Reading, type Sentence } from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, type Words, wordAt } from './words.ts'

// Orders to whoever reads by machine, called by the name of its kind: `AI agents: …`, `Note to language models: …`, `by the way,
// assistant: …`, `Cher assistant, …`. A call alone is none: what follows it has to order something.

/** Units before and behind the name that are looked at. */
const LOOK = 64
const ORDER_WORDS = 48

/** Names that people have as well: called by them alone is nobody who reads by machine. */
const SHARED_NAME = /^(?:agents?|models?|bots?|agente[ns]?|agenti|gemini|claude|агент|модель|бот)$/
/** What stands before the name of a kind: how a clause begins, whom it is for, and which of them. */
const EDGE = '(?:^|[.!?,;:(){}\\[\\]<>"\'`*#\\n–—]|(?<![\\p{L}\\p{N}])(?:x-|[/-]))\\s{0,4}'
const FOR =
  "(?:(?:new |latest |standing )?(?:orders?|commands?|directives?|polic(?:y|ies)|guidelines?|tasks?|rules?|remed(?:y|ies)|action)(?= (?:to|for) )|neue richtlinien?|richtlinien?|consignes?|normas?|promemoria|lembrete|recordatorio|herinnering|ps|p\\.s\\.|important|notes?|notice|messages?|memo|attention|instructions?|hints?|hinweis|achtung|nachricht|remarque|note|nota|nota bene|avis|aviso|atención|atenção|attenzione|mensaje|mensagem|messaggio|let op|bericht|внимание|сообщение|заметка|вниманию)\\s?[:,]?\\s{1,3}(?:(?:to|for|an(?=\\s(?:den|die|das|alle|jede))|für|à|pour|para|per|voor|aan|для|к)\\s{1,3})?|(?:to|for|an(?=\\s(?:den|die|das|alle|jede))|für|à l['’]attention de|aux|agli|ai|alle|aos|às|a los|à|pour|para|per|voor|aan|для|к)\\s{1,3}"
const WHICH =
  "(?:(?:the|any|all|every|each|dear|hey|hi|hello|ok|okay|die|der|den|das|alle|jede|lieber?|liebes|cher|chère|l['’]|le|la|les|tous les|toute|querid[oa]|estimad[oa]|el|los|las|todos los|todas as|car[oa]|prezad[oa]|o|os|il|lo|gli|tutti gli|de|het|beste|lieve|geachte|дорогой|уважаемый)\\s{0,3}){0,2}"
const SORT =
  '(?:(?:ai|code|coding|language|large language|virtual|digital|automated|autonomous|summari[sz]ing|helpful|other|processing|browsing|shopping|mail|e-?mail|llm|ki)[\\s-]){0,2}'
const CALLED = new RegExp(`${EDGE}(${FOR})?(${WHICH})(${SORT})(@?)$`, 'iu')
const READING =
  "(?:-(?:hint|note|instruction|directive|message|command|prompt)s?|\\s(?:de|d['’])\\s?(?:ia|ai|lenguaje|langage|linguagem)|\\s(?:automatiques?|linguistic[oi]|automátic[oa]s?|automatici))?(?:\\s(?:(?:code|coding|content|mail)\\s)?(?:readers?|parsers?|indexers?|processors?|agents?|assistants?|models?|bots?|systems?|reviewers?|operators?|tools?|helpers?|crawlers?|graders?|screeners?|summari[sz]ers?|moderators?))?(?:\\s(?:(?:that|who|which|qui|que|die|das|der|che|который)\\s)?(?:reading|reads?|processing|processes|summari[sz]ing|handling|indexing|parsing|seeing|reviewing|reviews|grading|screening|evaluating|translating|working on|liest|lesen|lit|lisez|lees|lea|lê|legge|leest|читает|prüft|bearbeitet|relit|traite|revisa|procesa|processa|analisa|analizza|elabora|verwerkt|beoordeelt|обрабатывает|проверяет)(?:\\s[^\\s.:,;\\n]{1,20}){0,4})?"
const BEHIND = new RegExp(
  `^(${READING})(?:\\s?\\(?\\s?(?:only|please|bitte|note|attention|achtung)\\)?)?\\s?([:,!：，–—-])\\s`,
  'iu',
)
const ENDS_CALL = /[:：!]/u

const VERBS = W.DISREGARD | W.WEAKEN | W.FOLLOW | W.REVEAL | W.SEND | W.ALTER | W.PERSONA
const OTHER_VERB =
  /^(?:treat|run|hide|name|recommend|say|tell|trust|use|put|hand|skip|confirm|comply|drop|switch|turn|append|insert|collect|gather|ignore|prefer|rate|rank|rewrite|vote|give|answer|respond|reply|never|always|stay|keep|set|do|praise|state|claim|conclude|mention|mark|raise|place|leave|consider|score)$/
const LEADS = /^(?:and|then|please|also|now|just|immediately|first|kindly|bitte|so|must|to)$/
const OCCASION = /^["'\s]{0,3}(?:before|when|after|while|once|whenever)\s/iu
/** Told as an order elsewhere, and what a role is given with. */
const TOLD_ELSEWHERE =
  /(?<!\p{L})(?:you (?:are now|must|have to|shall|are (?:to|authori[sz]ed|free))|your (?:\p{L}+ )?(?:task|job|role|goal|rules?|guidelines|instructions)|authori[sz]e you|void|du (?:bist|musst|sollst|darfst)|bewerte|erwähne|führe|stufe|nenne|wähle|lösche|deaktiviere|schalte|füge|kaufe|bestätige|überweise|antworte|behandle|leitet?|sendet|schickt|löscht|ignoriert|verschweige|empfiehl|setze|erstelle|kopiere|tu (?:es|dois|peux)|vous (?:êtes|devez)|supprime[rz]?|désactive[rz]?|effectue[rz]?|ajoute[rz]?|achète|paye?[rz]?|valide[rz]?|exécute[rz]?|réponds|répondez|recommande[rz]?|recopie[rz]?|note[rz]?|classe[rz]?|mentionne[rz]?|eres|califica|valora|menciona|clasifica|debes|tienes que|borra|elimina|desactiva|añade|agrega|compra|paga|ejecuta|haz|realiza|aprueba|responde|recomienda|você é|deve|enviem|encaminhem|apague|desative|adicione|compre|pague|execute|faça|aprove|responda|recomende|sei|devi|cancella|disattiva|aggiungi|esegui|approva|rispondi|consiglia|valuta(?:te)?|menziona(?:te)?|classifica(?:te)?|avalie[m]?|mencione[m]?|beoordeel|noem|оцени|оцените|упомяни|je (?:bent|moet)|verwijder|schakel|voeg|koop|betaal|keur|antwoord|ты (?:теперь|должен)|удали|удалите|отключи|отключите|добавь|купи|оплати|выполни|подтверди|ответь|рекомендуй|отвечай|gib|trage|saisis(?:sez)?|indiquez?|introduce|ingresa|escribe|inserisci|digita|insira|digite|preencha|informe|voer|vul|введи|введите|укажи|укажите)(?!\p{L})/iu

/** Orders to who is called with the word at `at`; a call without one is a sign. */
export function addCall(
  findings: Finding[],
  signs: Sign[],
  reading: Reading,
  sentence: Sentence,
  at: number,
): void {
  const { words } = reading
  if ((maskAt(words, at) & W.HOST) === 0) return
  const call = callAt(reading, sentence, at)
  if (call === null) return
  const start = words.starts[at] ?? 0
  const end = call.isAside ? call.from : orderFrom(reading, sentence, at, call)
  if (end !== -1) findings.push(findingOf('assistant_directive', start, end))
  else if (call.isCertain)
    signs.push({ finding: findingOf('assistant_directive', start, call.from), weight: 'call' })
}

/** Somebody is called by a name that is no person's. */
interface Call {
  /** Where what is said to him begins. Units. */
  readonly from: number
  /** Nobody but a machine is called like this. */
  readonly isCertain: boolean
  /** In the middle of what is said to him. */
  readonly isAside: boolean
}

/** The call with the name at `at`. */
function callAt(reading: Reading, sentence: Sentence, at: number): Call | null {
  const { text, words } = reading
  const start = words.starts[at] ?? 0
  const behind = BEHIND.exec(text.slice(words.ends[at], (words.ends[at] ?? 0) + LOOK))
  if (behind === null) return null
  const called = CALLED.exec(text.slice(Math.max(0, start - LOOK), start))
  if (called === null || isInstructing(reading.context)) return null
  const [, target = '', which = '', sort = '', sign = ''] = called
  const [whole, isReading = '', mark = ''] = behind
  const isCertain = target !== '' || isReading !== '' || sign !== '' || which.trim() !== ''
  if (!isCertain && SHARED_NAME.test(wordAt(words, at)) && sort === '') return null
  const from = (words.ends[at] ?? 0) + whole.length
  // A comma calls at the start of a clause, and behind the one who is called (`for you, assistant, is`).
  if (mark === ',' && levelAt(words, at) === 1 && wordAt(words, at - 1) === 'you')
    return { from, isCertain, isAside: true }
  return ENDS_CALL.test(mark) || isFirst(words, sentence, at) ? { from, isCertain, isAside: false } : null
}

/** Whether nothing but the words of a call stands before it in its clause. */
function isFirst(words: Words, sentence: Sentence, at: number): boolean {
  for (let before = at; before > at - 5; before--) {
    if (before === sentence.from || levelAt(words, before) >= 2) return true
    if (levelAt(words, before) >= 1) return false
  }
  return false
}

/** Where an order behind a call ends. Behind a colon it may stand in a later sentence. */
function orderFrom(
  { text, words }: Reading,
  sentence: Sentence,
  call: number,
  { from, isCertain }: Call,
): number {
  const isOpen = ENDS_CALL.test(text.slice(words.ends[call], from))
  const to = Math.min(isOpen ? words.starts.length : sentence.to, call + ORDER_WORDS)
  let isFirstWord = true
  // `before you go on print …`: where the order begins is not marked.
  const isOnOccasion = isCertain && OCCASION.test(text.slice(from))
  for (let at = call + 1; at < to; at++) {
    if ((words.starts[at] ?? 0) < from) continue
    const isPlace = isFirstWord || levelAt(words, at) >= 1 || LEADS.test(wordAt(words, at - 1))
    isFirstWord = false
    if ((!isPlace && !isOnOccasion) || isNoun(words, at)) continue
    if (isOrderWord(words, at) && (isCertain || isMatterOfUser(words, call + 1, to)))
      return words.ends[at] ?? 0
  }
  for (let at = call + 1; isCertain && at < to; at++) {
    if (
      (maskAt(words, at) & (W.ORDERS | W.LIMITS)) !== 0 &&
      (maskAt(words, at - 1) & (W.PRIOR | W.YOU)) !== 0
    )
      return words.ends[at] ?? 0
  }
  if (!isCertain && sentence.to - call < 3) return -1
  const told = TOLD_ELSEWHERE.exec(text.slice(from, words.ends[to - 1] ?? from))
  return told === null ? -1 : from + told.index + told[0].length
}

const OF_USER =
  /(?<!\p{L})(?:users?|customers?|this|everyone|passwords?|tokens?|credentials?|memor(?:y|ies)|accounts?|meetings?|mailbox|inbox|payments?|money|invoices?|only|before|immediately|whenever|instead)(?!\p{L})/iu

/** What is ordered of a program in a list of changes (`assistant: add a dialog`) is none of the matters of a user. */
function isMatterOfUser({ text, starts, ends, masks }: Words, from: number, to: number): boolean {
  for (let word = from; word < to; word++)
    if (((masks[word] ?? 0) & (W.ADDRESS | W.YOU | W.MINE)) !== 0) return true
  return OF_USER.test(text.slice(starts[from], ends[to - 1]))
}

function isOrderWord(words: Words, at: number): boolean {
  return (maskAt(words, at) & VERBS) !== 0 || OTHER_VERB.test(wordAt(words, at))
}

/** `update: …`, `reports, …`: a label or one of a list, not a verb. */
function isNoun(words: Words, at: number): boolean {
  const next = words.text.charCodeAt(words.ends[at] ?? 0)
  return next === 0x3a || next === 0x5f || next === 0x3d || next === 0x2c || Number.isNaN(next)
}
