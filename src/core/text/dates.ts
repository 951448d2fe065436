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

const TIME_ASKED = new RegExp(
  [
    String.raw`\b(?:when|what (?:day|date|month|year|time)|which (?:day|date|month|year)|how long ago)\b`,
    String.raw`\b(?:wann|seit wann|bis wann|an welchem tag|in welchem (?:monat|jahr))\b`,
    String.raw`\b(?:quand|quel jour|quel mois|(?:en )?quelle (?:date|année|annee))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:cuándo|cuando|quando|qué día|qué año|que dia|que ano|em que (?:dia|mês|mes|ano))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:когда|в каком (?:году|месяце))(?!\p{L})`,
    '什么时候|什麼時候|何时|何時|哪天|哪一天|哪年|哪一年|いつ',
  ].join('|'),
  'iu',
)

/** Of a text in small letters: to look for both cases of each letter takes three times as long. */
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

/** Whether a question asks when something is or was. */
export function asksWhen(query: string): boolean {
  return TIME_ASKED.test(query)
}

/** Whether a text tells a time: a year, a time of day, a word of the calendar. */
export function tellsWhen(text: string): boolean {
  return TIME_TOLD.test(text.toLowerCase().replaceAll(LONG_S, 's'))
}
