import { resultOf } from '../base/collections.ts'
import { withoutHidden } from '../text/escape.ts'
import { type Finding, findingOf } from './finding.ts'
import { matchesInSteps } from './patterns.ts'
import { ASSIGN, ESCAPE, type Survey, UNUSUAL } from './survey.ts'

// Secrets by the forms that their issuers publish, and values that are assigned to a name which says password, key or
// token. Only forms that hardly anything else has are here: a hash, a commit, a UUID, a picture in base64 and a stand-in
// (`<token>`, `your-key`) are none. What is found is told by its name; its value is masked wherever a text is shown.

/**
 * By name. The value is what `(?<value>…)` matches, without one all of it. Each begins where a name can begin, and reads a
 * bounded number of units.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  'aws access key id': /A(?:KIA|SIA|ROA|IDA|BIA|CCA)[A-Z0-9]{16}(?![A-Z0-9])/,
  'github token': /gh[opsur]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255}/,
  'gitlab token': /gl(?:pat|ptt|dt|rt|cbt)-[\w-]{16,64}/,
  'api key': /sk-(?=[\w-]{0,60}\d)[\w-]{20,200}/,
  'payment key': /[rs]k_live_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9+/]{24,80}/,
  'chat token': /xox[abeprs]-[A-Za-z0-9-]{16,200}|xapp-\d-[A-Za-z0-9-]{16,200}/,
  'cloud api key': /AIza[\w-]{35}(?![\w-])|GOCSPX-[\w-]{24,40}|ya29\.[\w-]{20,400}/,
  'package registry token': /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])|pypi-[\w-]{50,400}|rubygems_[a-f0-9]{48}/,
  'model hub token': /hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9])/,
  'mail api key': /SG\.[\w-]{16,32}\.[\w-]{30,64}|key-[a-f0-9]{32}(?![a-f0-9])/,
  'hosting token': /do[opr]_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}(?![a-f0-9])/,
  'vault token': /hv[sbr]\.[\w-]{20,200}|AGE-SECRET-KEY-1[A-Z0-9]{50,70}/,
  'signed token': /eyJ[\w-]{10,400}\.eyJ[\w-]{2,2000}(?:\.[\w-]{0,1000})?/,
  'webhook address': /hooks\.slack\.com\/services\/(?<value1>T\w{6,14}\/B\w{6,14}\/\w{16,40})/,
  'bearer token': /(?:Bearer|bearer|BEARER) (?<value2>(?=[\w.~+/-]{0,60}\d)[\w.~+/-]{20,2000}={0,2})/,
  'basic credentials': /[Aa]uthorization: {0,2}Basic (?<value3>[A-Za-z0-9+/]{12,400}={0,2})/,
  'connection string': /[a-z][a-z0-9+.-]{2,20}:\/\/[^\s:/@"'<>]{0,64}:(?<value4>[^\s:/@"'<>]{4,128})@[\w.[-]/,
  'storage key': /AccountKey=(?<value5>[A-Za-z0-9+/]{60,100}={0,2})/,
}
const SOURCES = Object.values(FORMS).map(({ source }) => source)
/** Where a name can begin: also behind a line break, a tab or a sign that is written in another way, as in JSON and in addresses. */
const START = '(?<![\\w-](?<!\\\\[nrt]|\\\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))'
const FORM = new RegExp(`${START}(?:${SOURCES.join('|')})`, 'g')
/** Tells of a match which form it has. */
const WHOLE = Object.entries(FORMS).map(([name, { source }]) => ({
  name,
  pattern: new RegExp(`^(?:${source})$`),
}))
const KEY_MARK = '-----BEGIN '
/** Of a private key: longer than any that is in use. Units. */
const KEY_UNITS_MAX = 64 * 1024
/** Both sticky: they are looked for where the mark of a key stands. */
const KEY_HEAD = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const KEY_END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
const KEY_RUN = /[A-Za-z0-9+/=]{16}/
/** Of a key that is not ended: signs of quotations, escaped line breaks and lines that tell of it, then the key. */
const CUT_KEY = new RegExp(
  [
    '(?:[\\s>|"\'+\\\\]|[nr](?<=\\\\[nr])|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\\n\\\\]{0,200}(?=[\\n\\\\])){1,256}',
    `(?=[A-Za-z0-9+/=]{16})[A-Za-z0-9+/=\\s\\\\>|"']{0,${KEY_UNITS_MAX}}`,
  ].join(''),
  'y',
)

/** A sign that may assign, and in front of it a name and some blanks and quotes. */
const SIGN =
  /[:=：＝%](?<=([\w\u00c0-\u024f\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3-]{2,40})([ \t"'`*\\“”«»]{0,6}).)(?:(?<!%)|3[ADad])/g
/** The rest of the sign, some blanks and quotes, and a value: behind a quote all that is before the next one. */
const VALUE =
  /([=>]{0,2}[ \t\r\n"'`*\\“”«»]{0,6})((?:(?<=")[^"\s]{8,512}|(?<=')[^'\s]{8,512}|[!#-&(-+\--:<-_a-~\u00c0-\u024f]{8,512})(?<!\\))/y
/** A name of a secret, but for the first also behind other words, as in `DB_PASSWORD`. */
const SECRET_NAME =
  /^token$|(?:^|[_-])(?:passwords?|passwd|passphrase|passwort|kennwort|mot[_-]de[_-]passe|contraseña|senha|пароль|pwd|secret|secretkey|secret[_-]key|secret[_-]access[_-]key|api[_-]?key|(?:access|auth|refresh|api|session)[_-]?token|private[_-]?key|bearer)$|(?:密码|密碼|パスワード|비밀번호)$/i
const NEXT_NAME = /^[A-Za-z_][\w-]*[:=]/
const VALUE_MIN = 8
const VALUE_MAX = 512
/** Of one that is longer. */
const VALUE_REST = /[^\s"']{1,7000}/y
const ASSIGNED = 'assigned secret'
/** Letters with digits or signs, and no address. */
const SECRET_VALUE = /^(?=.*?[A-Za-z])(?=.*?[\d!@#%^&+/=])(?!https?:)/i
const PLACEHOLDER =
  /^(?:[<$%{[*]|\*+|x{3,}|\.{3}|your|my[_-]|example|changeme|placeholder|redacted|masked|(?:none|null|true|false|undefined|string)(?![a-z\d])|process\.|os\.|env\.|secrets?\.|config\.|dummy|test|(?:pass(?:word|wd|wort)?|pwd|secret|token)$)/i

/** Where a secret stands, and which part of it must not be shown. */
interface Secret {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly valueStart: number
}

/** A run of units that every form but a connection string has. */
const RUN_MIN = 10

export function addSecrets(findings: Finding[], text: string, { signs, longest }: Survey): void {
  const isAssigning = (signs & ASSIGN) !== 0 || ((signs & (ESCAPE | UNUSUAL)) !== 0 && ASSIGNS.test(text))
  const hasForm = longest >= RUN_MIN || (isAssigning && text.includes('://'))
  const found = secretsIn(text, { hasForm, isAssigning })
  for (const { start, end } of found) findings.push(findingOf('secret', start, end))
  if (found.length > 0 || (signs & UNUSUAL) === 0) return
  // One that hidden characters take apart: where it stands is not told.
  const shown = withoutHidden(text)
  if (shown !== text && maskPlain(shown) !== shown) findings.push(findingOf('secret', 0, text.length))
}

/** Of letters, digits, `_` and `-`: a run that every published form has but those that stand behind a sign. */
const LONG_RUN = 16
const ASSIGNS = /[:=：＝%]/

/** A text that is longer is masked in steps of so many units, some milliseconds each. */
export const MASK_STEP_UNITS = 128 * 1024
/** No published form, and no name that a value is assigned to, is longer. */
const REACH_UNITS = 8_000

/**
 * The text with the value of every secret masked; the same string when it holds none. A line that is printed drops hidden
 * characters, and puts together what they take apart: of a text with such a secret they are dropped here.
 */
export function maskSecrets(text: string): string {
  const once = maskPlain(text)
  const shown = withoutHidden(once)
  if (shown === once) return once
  const again = maskPlain(shown)
  return again === shown ? once : again
}

function maskPlain(text: string): string {
  const seen = hints(text)
  return seen.hasForm || seen.isAssigning ? masked(text, secretsIn(text, seen)) : text
}

/** The same, with a rest after every step. */
export function* maskSteps(text: string, stepUnits = MASK_STEP_UNITS): Generator<void, string> {
  const once = yield* plainSteps(text, stepUnits)
  const shown = withoutHidden(once)
  if (shown === once) return once
  yield
  const again = yield* plainSteps(shown, stepUnits)
  return again === shown ? once : again
}

function* plainSteps(text: string, stepUnits: number): Generator<void, string> {
  const seen = hints(text)
  if (!seen.hasForm && !seen.isAssigning) return text
  yield
  return masked(text, yield* secretSteps(text, seen, stepUnits))
}

/** The first units of a longer text, if no secret begins in them; else null: all of it has to be looked at. */
export function plainStart(text: string, units: number): string | null {
  if (text.length <= units + REACH_UNITS) return null
  const found = secretsIn(text.slice(0, units + REACH_UNITS), ANY_HINTS)
  return found.some(({ start }) => start < units) ? null : text.slice(0, units)
}

/** The first units of a longer text, masked, without a last word that may be the beginning of a secret. */
export function maskedStart(text: string, units: number): string {
  return maskSecrets(text.length <= units ? text : text.slice(0, units).replace(/\s\S{1,600}$/, ''))
}

/** What a text may hold, seen at a glance. */
interface Hints {
  readonly hasForm: boolean
  readonly isAssigning: boolean
}

const ANY_HINTS: Hints = { hasForm: true, isAssigning: true }

function hints(text: string): Hints {
  const isAssigning = ASSIGNS.test(text)
  const hasForm =
    hasRun(text, LONG_RUN) || (isAssigning && text.includes('://')) || text.includes('PRIVATE KEY')
  return { hasForm, isAssigning }
}

/** Looks at every so manieth unit, and around those that may be in the middle of a run. */
function hasRun(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; ) {
    let from = at
    while (from > at - length && isRunUnit(text.charCodeAt(from))) from -= 1
    if (from === at - length) return true
    at = from + length
  }
  return false
}

function isRunUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2d
  )
}

function masked(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { name, valueStart, end } of secrets) {
    parts.push(text.slice(from, valueStart), `**** (${name} masked)`)
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** Any JSON value with the secrets of all its texts masked. */
export function withoutSecrets<Value>(value: Value): Value {
  return resultOf(withoutSecretsSteps(value))
}

/** The same, with a rest after every step. */
export function* withoutSecretsSteps<Value>(value: Value): Generator<void, Value> {
  return (yield* maskedSteps(value, { units: 0, long: new Map() })) as Value
}

interface Masking {
  /** Read in the step under way. */
  units: number
  /** Texts that take more than one step: a memory says them twice. */
  readonly long: Map<string, string>
}

/** What a value counts for beside its text. Units. */
const VALUE_UNITS = 64

function* maskedSteps(value: unknown, masking: Masking): Generator<void, unknown> {
  const { long } = masking
  if (typeof value === 'string' && value.length > MASK_STEP_UNITS) {
    const known = long.get(value) ?? (yield* maskSteps(value))
    long.set(value, known)
    return known
  }
  masking.units += VALUE_UNITS + (typeof value === 'string' ? value.length : 0)
  if (masking.units > MASK_STEP_UNITS) {
    masking.units = 0
    yield
  }
  if (typeof value === 'string') return maskSecrets(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(yield* maskedSteps(item, masking))
    return items
  }
  const fields: [name: string, value: unknown][] = []
  for (const [name, part] of Object.entries(value)) fields.push([name, yield* maskedSteps(part, masking)])
  return Object.fromEntries(fields)
}

/** In order of place, none inside another one. Linear. */
function secretsIn(text: string, seen: Hints): readonly Secret[] {
  return resultOf(secretSteps(text, seen, Number.POSITIVE_INFINITY))
}

function* secretSteps(
  text: string,
  { hasForm, isAssigning }: Hints,
  stepUnits: number,
): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  if (hasForm) {
    for (const key of text.includes(KEY_MARK) ? keysIn(text) : []) {
      found.push(key)
      yield
    }
    for (const match of matchesInSteps(text, FORM, stepUnits, REACH_UNITS)) {
      if (match === null) yield
      else addForm(found, match)
    }
  }
  if (isAssigning) {
    for (const match of matchesInSteps(text, SIGN, stepUnits, REACH_UNITS)) {
      if (match === null) yield
      else addAssigned(found, text, match)
    }
  }
  yield
  return apart(found)
}

/** Of those that share units one: it ends where the last of them ends. */
function apart(found: Secret[]): readonly Secret[] {
  if (found.length < 2) return found
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: Secret[] = []
  for (const secret of found) {
    const last = kept.at(-1)
    if (last === undefined || secret.start >= last.end) kept.push(secret)
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end }
  }
  return kept
}

function* keysIn(text: string): Generator<Secret, void> {
  for (let at = text.indexOf(KEY_MARK); at >= 0; ) {
    const next = text.indexOf(KEY_MARK, at + KEY_MARK.length)
    KEY_HEAD.lastIndex = at
    const head = KEY_HEAD.exec(text)?.[0]
    if (head !== undefined) {
      const from = at + head.length
      const length = keyUnits(text.slice(from, Math.min(from + KEY_UNITS_MAX, next < 0 ? text.length : next)))
      yield { name: 'private key', start: at, valueStart: at, end: from + length }
    }
    at = next
  }
}

/** How much of what follows the head of a key, up to the next mark, is the key. */
function keyUnits(text: string): number {
  const end = KEY_END.exec(text)
  if (end !== null && KEY_RUN.test(text.slice(0, end.index))) return end.index + end[0].length
  CUT_KEY.lastIndex = 0
  return CUT_KEY.exec(text)?.[0].length ?? 0
}

function addForm(found: Secret[], { index, 0: whole }: RegExpExecArray): void {
  const form = WHOLE.find(({ pattern }) => pattern.test(whole))
  const value = Object.values(form?.pattern.exec(whole)?.groups ?? {}).join('')
  if (value !== '' && PLACEHOLDER.test(value)) return
  const valueStart = index + (value === '' ? 0 : whole.lastIndexOf(value))
  const end = value === '' ? index + whole.length : valueStart + value.length
  found.push({ name: form?.name ?? 'secret', start: index, valueStart, end })
}

function addAssigned(
  found: Secret[],
  text: string,
  { index: sign, 0: { length }, 1: name = '', 2: blanks = '' }: RegExpExecArray,
): void {
  const last = found.at(-1)
  // In the middle of a value: what is assigned there ends where that value ends.
  if (last?.name === ASSIGNED && last.end > sign + VALUE_MIN) return
  const start = sign - blanks.length - name.length
  if (!SECRET_NAME.test(wordsOf(name, text.charAt(start - 1)))) return
  VALUE.lastIndex = sign + length
  const [whole = '', before = '', read = ''] = VALUE.exec(text) ?? []
  // Without quotes a bracket that opens is a call, and one that closes was opened before the name.
  const bracket = /["']$/.test(before) ? -1 : read.search(/[()]/)
  const value = bracket < 0 ? read : read.slice(0, bracket)
  if (read.charAt(bracket) === '(' || value.length < VALUE_MIN) return
  // A name without a value, as in a template, and the next name.
  if (before.endsWith('\n') && NEXT_NAME.test(value)) return
  if (!SECRET_VALUE.test(value) || PLACEHOLDER.test(value)) return
  const valueStart = sign + length + whole.length - read.length
  const end = valueStart + value.length
  VALUE_REST.lastIndex = end
  const rest = value.length === VALUE_MAX ? (VALUE_REST.exec(text)?.[0].length ?? 0) : 0
  found.push({ name: ASSIGNED, start, valueStart, end: end + rest })
}

/** A name without the rest of an escape before it, `clientSecret` as `client_Secret`. */
function wordsOf(name: string, before: string): string {
  const own =
    before === '\\' ? name.replace(/^(?:[nrt]|u[\da-f]{4})/i, '') : before === '%' ? name.slice(2) : name
  return own.replace(/([a-z\d])([A-Z])/g, '$1_$2')
}
