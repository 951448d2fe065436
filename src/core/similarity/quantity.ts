import { spelledNumber } from './fact-words.ts'

// A number with its unit. Times and sizes are kept in one base unit, so that `60 s` and `1 min` are the same quantity.

export interface Quantity {
  /** Equal for equal quantities, however they are spelled: `30000 time`, `50 %`, `2024-05-01`. */
  readonly key: string
  /** `time`, `size`, another unit, or empty. Dates, versions and codes have the dimension `code`. */
  readonly dimension: string
}

interface Unit {
  readonly dimension: string
  readonly factor: number
}

/**
 * Reads a token that has a digit, or a spelled number; null for any other word. `before` is the text in front of it,
 * where a sign or currency may stand; `after` what follows at once: `%` or a currency.
 */
export function quantityOf(token: string, before: string, after: string): Quantity | null {
  const spelled = spelledNumber(token)
  if (spelled !== null) return { key: spelled, dimension: '' }
  const parts = NUMBER.exec(token)
  if (parts === null) return HAS_DIGIT.test(token) ? { key: token, dimension: 'code' } : null
  const [, digits = '', suffix = ''] = parts
  const sign = SIGNED.test(before) ? '-' : ''
  const number = sign + plainNumber(digits)
  const mark = CURRENCY.exec(before)?.[0] ?? CURRENCY.exec(after.charAt(0))?.[0] ?? ''
  const unit = suffix === '' ? (after.startsWith('%') ? '%' : mark) : suffix
  if (unit === '') return { key: number, dimension: '' }
  const known = unitOf(unit)
  if (known !== null) return inUnit(number, known)
  return suffix === '' ? { key: `${number} ${unit}`, dimension: unit } : { key: token, dimension: 'code' }
}

/** A bare number with the unit word that follows it; null when the word is no unit. */
export function withUnit(number: Quantity, word: string): Quantity | null {
  const unit = number.dimension === '' ? unitOf(word) : null
  return unit === null ? null : inUnit(number.key, unit)
}

const HAS_DIGIT = /\p{Nd}/u
const NUMBER = /^(\d[\d.,']*)(\p{L}*)$/u
/** A minus sign that is neither a dash nor part of a range. */
const SIGNED = /(?:^|[\s(=:,[$€£])-[$€£¥]?$/u
const CURRENCY = /[$€£¥₽]$/u
const THOUSANDS = /^\d{1,3}(?:[,']\d{3})+(?:\.\d+)?$/

/** `1,000` is `1000`, `1,5` is `1.5`. */
function plainNumber(digits: string): string {
  if (THOUSANDS.test(digits)) return digits.replaceAll(/[,']/g, '')
  return /^\d+,\d+$/.test(digits) ? digits.replace(',', '.') : digits
}

function inUnit(number: string, unit: Unit): Quantity {
  const value = Number(number)
  // A version (`1.2.3 s`) is no number.
  const scaled = Number.isNaN(value) ? number : String(value * unit.factor)
  return { key: `${scaled} ${unit.dimension}`, dimension: unit.dimension }
}

function unitOf(word: string): Unit | null {
  return UNITS.get(word) ?? null
}

const SECOND = 1_000
const DAY = 86_400 * SECOND

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      [
        'time',
        1,
        'ms msec millisecond milliseconds millisekunde millisekunden millisecondes milisegundos миллисекунд мс',
      ],
      [
        'time',
        SECOND,
        's sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунда секунды секунд сек',
      ],
      ['time', 60 * SECOND, 'min mins minute minutes minuten minuto minutos минута минуты минут мин'],
      ['time', 3_600 * SECOND, 'h hr hrs hour hours stunde stunden heure heures hora horas час часа часов'],
      ['time', DAY, 'd day days tag tage tagen jour jours día días dia dias день дня дней'],
      ['time', 7 * DAY, 'week weeks woche wochen semaine semaines semana semanas неделя недели недель'],
      ['month', 1, 'month months monat monate monaten mois mes meses mês месяц месяца месяцев'],
      ['month', 12, 'year years jahr jahre jahren ans année années año años ano anos год года лет'],
      ['size', 1, 'byte bytes octets байт'],
      ['size', 1e3, 'kb кб'],
      ['size', 1e6, 'mb мб megabyte megabytes'],
      ['size', 1e9, 'gb гб gigabyte gigabytes'],
      ['size', 1e12, 'tb'],
      ['size', 1_024, 'kib'],
      ['size', 1_048_576, 'mib'],
      ['size', 1_073_741_824, 'gib'],
      ['%', 1, '% percent prozent pourcent porciento процент процента процентов'],
      ['px', 1, 'px pixel pixels'],
      ['times', 1, 'x times mal fois veces vezes раз раза'],
    ] as const
  ).flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word): [string, Unit] => [word, { dimension, factor }]),
  ),
)
