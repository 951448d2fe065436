// A stamp tells when a text was written: a time of day or a whole date, in brackets at either end, or a date and time before it.

/** Longer brackets hold prose. */
const STAMP_CHARS_MAX = 64
const MOMENT = /\d[:.]\d\d(?!\d)|\b\d{1,2}\b.*\b\d{4}\b|\b\d{4}\b.*\b\d{1,2}\b/
const BEFORE = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s*/
const OPENING = '(['
const CLOSING = ')]'

/** The text between its stamps. */
export function withoutStamp(text: string): string {
  const from = firstOf(text)
  return text.slice(from, endOf(text, from))
}

function firstOf(text: string): number {
  const plain = BEFORE.exec(text.slice(0, STAMP_CHARS_MAX))
  if (plain !== null) return plain[0].length
  const start = text.search(/\S/)
  if (start < 0 || !OPENING.includes(text.charAt(start))) return 0
  const head = text.slice(start, start + STAMP_CHARS_MAX)
  const close = head.search(/[)\]]/)
  return close > 0 && MOMENT.test(head.slice(1, close)) ? start + close + 1 : 0
}

function endOf(text: string, from: number): number {
  let end = text.length
  while (end > from && text.charCodeAt(end - 1) <= 0x20) end -= 1
  if (end === from || !CLOSING.includes(text.charAt(end - 1))) return text.length
  const tailFrom = Math.max(from, end - STAMP_CHARS_MAX)
  const tail = text.slice(tailFrom, end - 1)
  const open = Math.max(tail.lastIndexOf('('), tail.lastIndexOf('['))
  return open >= 0 && MOMENT.test(tail.slice(open + 1)) ? tailFrom + open : text.length
}

const DAY_MS = 86_400_000
/** Days from 0000-03-01, where the count of 400 years begins, to 1970-01-01. */
const DAYS_TO_1970 = 719_468
/** Days of 400 years, after which the calendar repeats itself. */
const DAYS_OF_ERA = 146_097

/** The UTC day of an instant, `2026-10-30`. Years begin in March here, so that the leap day is their last. */
export function dayOf(atMs: number): string {
  const days = Math.floor(atMs / DAY_MS) + DAYS_TO_1970
  const era = Math.floor(days / DAYS_OF_ERA)
  const dayOfEra = days - era * DAYS_OF_ERA
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const sign = year < 0 ? '-' : ''
  return `${sign}${padded(Math.abs(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`
}

function padded(count: number, digits: number): string {
  return String(count).padStart(digits, '0')
}

// Words that ask for a time, and words and numbers that tell one, in the languages that recall stems and in Chinese and
// Japanese. Made by hand from the calendar words of each language; the model that ranks by them is fitted on own texts.

/** All patterns are of a text in small letters: to look for both cases of each letter takes several times as long. */
const TIME_ASKED = new RegExp(
  [
    String.raw`\b(?:when|what (?:day|date|month|year|time)|which (?:day|date|month|year)|how long ago)\b`,
    String.raw`\b(?:wann|seit wann|bis wann|an welchem tag|in welchem (?:monat|jahr))\b`,
    String.raw`\b(?:quand|quel jour|quel mois|(?:en )?quelle (?:date|année|annee))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:cuándo|cuando|quando|qué día|qué año|que dia|que ano|em que (?:dia|mês|mes|ano))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:когда|в каком (?:году|месяце))(?!\p{L})`,
    '什么时候|什麼時候|何时|何時|哪天|哪一天|哪年|哪一年|いつ',
  ].join('|'),
  'u',
)

const TIME_TOLD = new RegExp(
  [
    String.raw`\b(?:1[6-9]|20)\d\d\b|\b\d{1,2}[:.]\d\d\b`,
    String.raw`\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|until|weekend|(?:week|month|year)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:gestern|heute|morgen|vorgestern|seit|letzte[nrsm]?|nächste[nrsm]?|wochen?|monate?n?|jahre?n?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|januar|februar|märz|mai|juni|juli|oktober|dezember)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:hier|aujourd|demain|dernière?|prochaine?|semaines?|mois|ans?|années?|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:ayer|hoy|mañana|ontem|hoje|amanhã|pasad[oa]|passad[oa]|próxim[oa]|semanas?|mes(?:es)?|mês|años?|anos?|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|se[pt]+iembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:вчера|сегодня|завтра|назад|недел[юиея]|месяц[аев]*|год[ауе]?|лет|январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|июн[ья]|июл[ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья])(?!\p{L})`,
    '昨天|今天|明天|昨日|今日|明日|上周|下周|先週|来週|去年|明年|来年|[0-9]月|[0-9]日|[0-9]年',
  ].join('|'),
  'u',
)

/** Folds to an s, and is a small letter. */
const LONG_S = '\u017f'

function inSmallLetters(text: string): string {
  return text.toLowerCase().replaceAll(LONG_S, 's')
}

/** Whether a question asks when something is or was. */
export function asksWhen(query: string): boolean {
  return TIME_ASKED.test(inSmallLetters(query))
}

/** Whether a text tells a time: a year, a time of day, a word of the calendar. */
export function tellsWhen(text: string): boolean {
  return TIME_TOLD.test(inSmallLetters(text))
}

// What a question asks for, a time, a number or a name, and whether a text tells one: in the languages that recall stems, in
// Chinese and Japanese. Made by hand from the question words and numerals of each language.

const NUMBER_ASKED = new RegExp(
  [
    String.raw`\bhow (?:many|much|old|long|often|far|fast|tall|big|large|high|late|early)\b`,
    String.raw`\bwhat (?:number|amount|percentage|share|price|age|size)\b`,
    String.raw`\bwie (?:viele?n?|lange|oft|alt|weit|hoch|groß|schnell|spät|teuer)\b|\bwieviele?\b`,
    String.raw`\bcombien\b|\bquel âge\b|\bà quelle (?:vitesse|distance|hauteur)\b`,
    String.raw`(?<!\p{L})(?:cuánt[oa]s?|cuant[oa]s?|quant[oa]s?|qué edad|que idade)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:сколько|как (?:долго|часто|далеко))(?!\p{L})`,
    '多少|几个|幾個|几次|多久|多大|いくつ|いくら|何人|何個|何回',
  ].join('|'),
  'u',
)

const NUMBER_TOLD = new RegExp(
  [
    String.raw`\d|[零一二三四五六七八九十百千万萬億亿]`,
    String.raw`\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|dozens?|once|twice|half|both|couple|few|several)\b`,
    String.raw`(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*(?:zehn|zwanzig|dreißig|vierzig|fünfzig|hundert|tausend)|million(?:en)?|dutzend|einmal|zweimal|halb\p{L}*|beide|einige|mehrere)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|trente|quarante|cinquante|soixante|cents?|mille|millions?|douzaine|moitié|plusieurs)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:dos|tres|três|cuatro|quatro|cinco|seis|siete|sete|ocho|oito|nueve|nove|diez|dez|once|doce|doze|veinte|vinte|treinta|trinta|(?:cuar|quar|cincu|cinqu|ses|sess|set|och|oit|nov)enta|cien|ciento|cem|mil|millón|millones|milhão|milhões|docena|dúzia|mitad|metade|vari[oa]s)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двадцать|тридцать|сто|тысяч[аиу]?|миллион\p{L}*|дюжин\p{L}*|половин\p{L}*|оба|обе|несколько)(?!\p{L})`,
  ].join('|'),
  'u',
)

const NAME_ASKED = new RegExp(
  [
    String.raw`\b(?:who|whose|whom|where|which|names?|named|called)\b`,
    String.raw`\b(?:wer|wen|wem|wessen|wo|wohin|woher|welche[rsnm]?|heißt|heißen|namen?)\b`,
    String.raw`(?<!\p{L})(?:qui|où|quel(?:le)?s?|comment s'appelle|noms?)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:quién(?:es)?|dónde|adónde|cuál(?:es)?|nombres?|quem|onde|aonde|qual|quais|nomes?)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:кто|кого|кому|кем|чей|чья|где|куда|откуда|как зовут|какой|какая|какое|какие)(?!\p{L})`,
  ].join('|'),
  'u',
)

/** A word with a capital inside of a sentence. It is none that begins the sentence or stands alone as English "I" does. */
const NAME_TOLD = /[\p{Ll},] \p{Lu}\p{Ll}/u

interface Told {
  readonly asks: (question: string) => boolean
  /** Of a text without a stamp, which tells when it was written only. */
  readonly tells: (text: string) => boolean
}

const KINDS = {
  time: { asks: asksWhen, tells: tellsWhen },
  number: {
    asks: (question) => NUMBER_ASKED.test(inSmallLetters(question)),
    tells: (text) => NUMBER_TOLD.test(inSmallLetters(text)),
  },
  name: {
    asks: (question) => NAME_ASKED.test(inSmallLetters(question)),
    // Alone it looks for capitals.
    tells: (text) => NAME_TOLD.test(text),
  },
} as const satisfies Readonly<Record<string, Told>>
export type ToldKind = keyof typeof KINDS
export const TOLD_KINDS: readonly ToldKind[] = ['time', 'number', 'name']

/** Whether a question asks for it. */
export function asksFor(question: string, kind: ToldKind): boolean {
  return KINDS[kind].asks(question)
}

/** Whether a text tells one, be it the right one or not. */
export function tells(text: string, kind: ToldKind): boolean {
  return KINDS[kind].tells(withoutStamp(text))
}

/** Of every script. */
const QUESTION_MARK = /[?\u037e\u055e\u061f\uff1f]/
const ENDS_SENTENCE = '.!\u2026\u3002\uff01\n'

/** In quotation marks, with an ending of its own: a title, or what somebody else asked. */
const CITED_QUESTION = /[“"«„「『]\s?[^“”"«»„「」『』.!?？]{3,200}[?？]\s?[”"»“」』]/u

/** Whether a text cites a question: it points to where that is answered, as a page of help does, and seldom answers itself. */
export function citesQuestion(text: string): boolean {
  return QUESTION_MARK.test(text) && CITED_QUESTION.test(text)
}

/** Which share of a text stands in sentences that end in a question mark; 0: it asks nothing. */
export function questionShare(text: string): number {
  if (!QUESTION_MARK.test(text)) return 0
  const said = withoutStamp(text)
  let asked = 0
  let from = 0
  for (let at = 0; at < said.length; at += 1) {
    const unit = said.charAt(at)
    const isQuestion = QUESTION_MARK.test(unit)
    if (!isQuestion && !ENDS_SENTENCE.includes(unit)) continue
    if (isQuestion) asked += at + 1 - from
    from = at + 1
  }
  return asked / said.length
}
