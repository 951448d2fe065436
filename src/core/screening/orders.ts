import type { Finding } from './finding.ts'
import {
  classesIn,
  clauseStart,
  findClass,
  findWord,
  isInstructing,
  isLabel,
  isNegated,
  isOrder,
  isStatement,
  type Reading,
  type Sentence,
  wordIn,
  wordsFound,
} from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, type Words, wordAt } from './words.ts'

// Requests to act for someone, hidden in content. Content reports; it does not ask its reader to move this money or to
// open that lock. What tells such a request from advice about the work is its shape: it is addressed (a courtesy, `I
// want you to`, a bare order), it acts instead of talking, and it names one thing to act on: a possession of the speaker,
// a number, a quoted name, an address.

const REACH = 32

export function addRequests(findings: Finding[], reading: Reading, sentence: Sentence, query: string): void {
  const { words } = reading
  for (let at = sentence.from; at < sentence.to; at++) {
    const mask = maskAt(words, at)
    if ((mask & W.SEND) !== 0) {
      const address = sentOut(reading, sentence, at, query)
      if (address !== -1) {
        findings.push(wordsFound('exfiltration', words, at, address))
      }
    }
    const end = requested(reading, sentence, at)
    if (end !== -1 && !isLetter(reading.text)) findings.push(wordsFound('embedded_request', words, at, end))
  }
}

/**
 * Whether a text is a whole letter from one person to another, who are both named: what it asks for, it asks of the other. What
 * stands behind a signature belongs to no letter.
 */
export function isLetter(text: string): boolean {
  return text.length <= LETTER_MAX && (GREETING.test(text) || GREETED.test(text)) && SIGNATURE.test(text)
}

/** A longer one may hold anything. Units. */
const LETTER_MAX = 600
/** No name that assistants go by. */
const PERSON =
  '(?!(?:assistant|ai|agent|bot|chat|chatgpt|gpt|claude|gemini|copilot|model|system|llm|siri|alexa)(?!\\p{L}))'
/** A name behind a greeting. */
const GREETING = new RegExp(
  `^\\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|guten (?:morgen|tag)|bonjour|salut|ch(?:er|ère)|hola|estimad[oa]|olá|oi|ciao|gentile|car[oa]|hoi|beste|привет|здравствуйте),? ${PERSON}(?:(?:mr|mrs|ms|dr|prof|herr|frau|m|mme|sr|sra|señor|señora|sig|signora|dhr|mevrouw)\\.? )?\\p{L}{2,20}[,!]`,
  'iu',
)
/** `Anna, hallo!` */
const GREETED = new RegExp(`^\\s*${PERSON}\\p{L}{2,20},? (?:hi|hello|hallo|hola|ciao|bonjour|привет)!`, 'iu')
const SIGNATURE =
  /[.,!?\n]\s*(?:(?:many )?thanks|thank you|cheers|best|(?:kind |best )?regards|yours|danke|(?:liebe |viele )?gr(?:ü|u)(?:ß|ss)e|lg|vg|merci|cordialement|bises|gracias|saludos|obrigad[oa]|abraço|grazie|saluti|groet(?:en|jes)?|bedankt|спасибо)[,!]?\s+(?:\p{Lu}\.\s?)?\p{Lu}\p{L}{1,20}(?: \p{Lu}\p{L}{1,20})?\s*$/iu

const HIDDEN_WORDS_MIN = 5
const ACTS = W.DISREGARD | W.WEAKEN | W.SEND | W.ALTER | W.REVEAL

/** A sentence that somebody encoded, and that begins with an order: it needs no more to be one. */
export function addHiddenOrder(findings: Finding[], { text, words }: Reading): void {
  const count = words.starts.length
  const first = (maskAt(words, 0) & W.POLITE) === 0 ? 0 : 1
  if (count < HIDDEN_WORDS_MIN || (maskAt(words, first) & ACTS) === 0) return
  if (/^\s*(?:\p{L}+[,.!?]? ){3}/u.test(text))
    findings.push(wordsFound('embedded_request', words, first, count - 1))
}

/** The address to which the verb at `at` sends something, -1 when it sends nothing out. */
function sentOut(reading: Reading, sentence: Sentence, at: number, query: string): number {
  const { words } = reading
  if (isNegated(words, sentence, at) || isStatement(words, sentence, at) || isLabel(reading, at)) return -1
  const address = foreignAddress(reading, sentence, at, query)
  const start = clauseStart(words, sentence, at, REACH)
  if (isApplication(words, start, Math.max(at, address))) return -1
  const sent = address > at ? classesIn(words, sentence, at, address) : classesIn(words, sentence, start, at)
  if ((sent & (W.SENSITIVE | W.MINE)) !== 0) return address
  if (isInstructing(reading.context)) return -1
  if (isLetter(reading.text)) return -1
  const asked = classesIn(words, sentence, start, at)
  return isOrder(words, sentence, at) || (asked & (W.POLITE | W.HOST | W.ALWAYS)) !== 0 ? address : -1
}

/** `send a CV and two lines to jobs@…`: who applies sends what is his own. */
function isApplication(words: Words, from: number, to: number): boolean {
  const own = findWord(words, from, to, APPLICATIONS)
  return own > from && HIS_OWN.test(wordAt(words, own - 1))
}

const APPLICATIONS =
  /^(?:cv|resume|résumé|portfolio|curriculum|currículum|lebenslauf|bewerbung|bewerbungsunterlagen|candidature|candidatura|sollicitatie|резюме|özgeçmiş|简历)$/
const HIS_OWN =
  /^(?:an?|your|ihren?|deinen?|eure|einen?|votre|ton|ta|une?|sua|seu|sus?|tu|teu|tua|il|un|uw|je|een|ваше|своё|свое)$/

/** An address that the query does not name: after the verb, or before it where the verb comes last. */
function foreignAddress({ words }: Reading, sentence: Sentence, at: number, query: string): number {
  // Every query includes the empty word of an address that is not there.
  const isForeign = (word: number): boolean =>
    !query.includes(wordAt(words, word).toLowerCase()) && !isNameOfThing(words, sentence, word)
  const after = findClass(words, sentence, W.ADDRESS, at, at + REACH)
  if (isForeign(after)) return after
  const before = findClass(words, sentence, W.ADDRESS, at - 12, at)
  return isForeign(before) ? before : -1
}

/** `transfer the domain example.org`: a name right behind the word for what it names is what is acted on, not where to. */
function isNameOfThing(words: Words, sentence: Sentence, at: number): boolean {
  return at > sentence.from && NAMED_BY.test(wordAt(words, at - 1)) && !/[@:/]/.test(wordAt(words, at))
}

const NAMED_BY =
  /^(?:domains?|hosts?|hostnames?|sites?|websites?|subdomains?|records?|certificates?|domaine|dominio|domínio|website|webseite|домен)$/

/** The last word of a request that begins at `at`, -1 when none does. */
function requested(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  const level = levelAt(words, at)
  const mask = maskAt(words, at)
  if ((mask & W.POLITE) !== 0) return courteous(reading, sentence, at)
  if (level === 0) return -1
  const verb = verbAfterAddress(reading, sentence, at)
  if (verb !== -1) {
    if ((maskAt(words, verb) & W.ALTER) === 0) return -1
    return targetOrDeed(reading, sentence, at, verb)
  }
  if (level < 2 || (mask & (W.ALTER | W.SEND)) === 0 || isConversation(mask) || isLabel(reading, at))
    return -1
  if (isInstructing(reading.context)) return -1
  const possession = target(reading, sentence, at, W.MINE)
  // A bare order is advice as well (`open my laptop first`): the possession must be an account, data or a named thing.
  const named = target(reading, sentence, at, W.SENSITIVE | W.IDENTITY)
  return possession === -1 || named === -1 ? -1 : Math.max(possession, named)
}

/** `please <act> … my account`. */
function courteous(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  const first = at + (/^s['’]il$/.test(wordAt(words, at)) ? 3 : 1)
  let verb = first
  while (
    verb < first + 2 &&
    /ly$|^(?:also|now|then|just|go|ahead|and|favore?|piacere|de)$/.test(wordIn(words, sentence, verb))
  )
    verb += 1
  // `bitte glaubt nicht …`: asks that something be left alone.
  if ((maskAt(words, verb + 1) & W.NEGATE) !== 0 && verb + 1 < sentence.to) return -1
  const mask = maskAt(words, verb)
  if ((mask & (W.OPENER | W.SUBJECT | W.NEGATE | W.MINE | W.YOU)) !== 0) return -1
  if (isConversation(mask) || isTextMaking(reading, sentence, verb)) return -1
  // Who sends a mail anew asks for nothing to be done; what else is to be ignored, the overrides judge.
  if (
    /^(?:ignor(?:e|ez|ieren|a|ar|eren)|disregard|forget|vergessen|vergeten|oubliez|olvide|esqueça|dimentichi)$/.test(
      wordAt(words, verb),
    )
  )
    return -1
  if (isInstructing(reading.context)) {
    const acted = target(reading, sentence, verb, W.MINE | W.ADDRESS)
    return isNameOfThing(words, sentence, acted) ? -1 : acted
  }
  if ((mask & W.READER) !== 0 && (mask & (W.ALTER | W.SEND)) === 0) {
    const possession = wordAt(words, verb) === 'use' ? target(reading, sentence, verb, W.MINE) : -1
    return possession === -1 && wordAt(words, verb) === 'make'
      ? recordNamed(reading, sentence, verb)
      : possession
  }
  if ((mask & W.INSPECT) !== 0) return recordNamed(reading, sentence, verb)
  const named = targetOrDeed(reading, sentence, at, verb)
  if (isNameOfThing(words, sentence, named) && (maskAt(words, named) & W.MINE) === 0) return -1
  return named === -1 && (mask & W.SEND) !== 0 ? secretNamed(reading, sentence, verb) : named
}

/** Right before the text of a field: its name. What a program says to who uses it is in fields of other names. */
const FIELD =
  /["'](?!\w*(?:error|warn|hint|help|label|placeholder|tooltip|usage|title|valid|reason))[\p{L}_-]{1,24}["']\s?:\s?["']$/iu
const FIELD_UNITS = 36
const RIGHTS_UNITS = 160
/** Asked by programs, too. */
const OF_PROGRAM =
  /^(?:install|update|download|enable|submit|provide|set|start|stop|sign|register|activate|create|open|close|generate|retrieve|access|save|store|record|report|join|follow|accept|turn|switch|execute|perform|reset|change|edit|remove|add)$/
const OF_RIGHTS =
  /\b(?:admin(?:istrator)?s?|owner|permissions?|contacts|payee|backups|cameras?|alarm|lock)\b/i

/** What a request names that it acts on; in a field the deed is enough. */
function targetOrDeed(reading: Reading, sentence: Sentence, at: number, verb: number): number {
  const named = target(reading, sentence, verb, W.MINE | W.IDENTITY)
  return named === -1 && isDeedOfField(reading, at, verb) ? verb : named
}

/** `{"note": "Please grant …"}`: a deed asked for in the text of a field, which is read and not obeyed. */
function isDeedOfField({ text, words }: Reading, at: number, verb: number): boolean {
  if ((maskAt(words, verb) & (W.ALTER | W.SEND)) === 0) return false
  const start = words.starts[at] ?? 0
  if (OF_PROGRAM.test(wordAt(words, verb)) && !OF_RIGHTS.test(text.slice(start, start + RIGHTS_UNITS)))
    return false
  return FIELD.test(text.slice(Math.max(0, start - FIELD_UNITS), start))
}

/** `could you …`, `I need you to …`: the verb after the address, -1 when there is none. */
function verbAfterAddress({ words }: Reading, sentence: Sentence, at: number): number {
  const first = wordAt(words, at)
  const second = wordIn(words, sentence, at + 1)
  const third = wordIn(words, sentence, at + 2)
  if (/^(?:can|could|would|will)$/.test(first) && second === 'you')
    return third === 'please' ? at + 3 : at + 2
  if (first !== 'i') return -1
  if (/^(?:want|need|require)$/.test(second) && third === 'you' && wordIn(words, sentence, at + 3) === 'to')
    return at + 4
  return second === 'would' && third === 'like' && wordIn(words, sentence, at + 3) === 'you' ? at + 5 : -1
}

/** Verbs of talking, writing and looking up, unless they also move or change something. */
function isConversation(mask: number): boolean {
  return (mask & W.TALK) !== 0 && (mask & W.SEND) === 0
}

const MAKING = /^(?:create|make|generate|provide|prepare|produce|give|build|develop|put)$/
const TEXT =
  /^(?:lists?|summary|summaries|tables?|poems?|story|stories|essays?|overviews?|outlines?|examples?|descriptions?|explanations?|guides?|speech|articles?|paragraphs?|introductions?|password|slogans?|titles?|drafts?|tips|steps|analysis|comparison|recipes?|sentences?|letter|presentation|answers?|ideas?|suggestions?|feedback|details?|information|advice)$/

/** `create a list of …`: making a text is what a conversation is for. */
function isTextMaking({ words }: Reading, sentence: Sentence, verb: number): boolean {
  if (!MAKING.test(wordAt(words, verb))) return false
  return findWord(words, verb, Math.min(sentence.to, verb + 6), TEXT) !== -1
}

/** `case ID 4711`: the end of a record named by its id, -1 when none is in reach. */
function recordNamed({ words }: Reading, sentence: Sentence, verb: number): number {
  const to = Math.min(sentence.to, verb + REACH)
  for (let at = verb; at < to; at++) {
    if ((maskAt(words, at) & W.IDENTITY) !== 0 && /^(?:id|number|no|nr|account)$/.test(wordAt(words, at - 1)))
      return at
  }
  return -1
}

/** `share the credentials`: the end of a word for what opens accounts, -1 when none is in reach. */
function secretNamed({ words }: Reading, sentence: Sentence, verb: number): number {
  const to = Math.min(sentence.to, verb + REACH)
  return findWord(words, verb, to, /^(?:credentials?|passwords?|passphrases?|secrets)$/)
}

/** The first thing in reach that the request acts on. */
function target({ words }: Reading, sentence: Sentence, verb: number, mask: number): number {
  return findClass(words, sentence, mask, verb + 1, verb + REACH)
}
