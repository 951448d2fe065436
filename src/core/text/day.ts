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
