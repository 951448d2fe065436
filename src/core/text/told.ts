import { asksWhen, tellsWhen } from './dates.ts'
import { withoutStamp } from './stamp.ts'

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
  'iu',
)

/** Of a text in small letters. */
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
  'iu',
)

/** A word with a capital inside of a sentence. It is none that begins the sentence or stands alone as English "I" does. */
const NAME_TOLD = /[\p{Ll},] \p{Lu}\p{Ll}/u

/** Folds to an s, and is a small letter. */
const LONG_S = '\u017f'

interface Told {
  readonly asks: (question: string) => boolean
  /** Of a text without a stamp, which tells when it was written only. */
  readonly tells: (text: string) => boolean
}

const KINDS = {
  time: { asks: asksWhen, tells: tellsWhen },
  number: {
    asks: (question) => NUMBER_ASKED.test(question),
    tells: (text) => NUMBER_TOLD.test(text.toLowerCase().replaceAll(LONG_S, 's')),
  },
  name: { asks: (question) => NAME_ASKED.test(question), tells: (text) => NAME_TOLD.test(text) },
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
