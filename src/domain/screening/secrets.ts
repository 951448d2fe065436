import { type Finding, findingOf } from './finding.ts'
import { ASSIGNMENT, type Survey } from './survey.ts'

// Secrets by the forms their issuers publish, found from a literal prefix with a bounded look behind it, and values
// assigned to a name that says password, key or token.

const VALUE_MIN = 8
const VALUE_MAX = 512
const NAME_MIN = 3
const NAME_MAX = 40
/** Blanks and quotes between a name, its sign and its value. */
const BLANKS_MAX = 4

interface Form {
  readonly prefix: string
  /** What follows the prefix, from its first unit on: with it ten units or more of a run. */
  readonly rest: RegExp
}

const FORMS: readonly Form[] = [
  { prefix: 'AKIA', rest: /^[A-Z0-9]{16}(?![A-Z0-9])/ },
  { prefix: 'ASIA', rest: /^[A-Z0-9]{16}(?![A-Z0-9])/ },
  { prefix: 'ghp_', rest: /^[A-Za-z0-9]{30,255}/ },
  { prefix: 'gho_', rest: /^[A-Za-z0-9]{30,255}/ },
  { prefix: 'ghs_', rest: /^[A-Za-z0-9]{30,255}/ },
  { prefix: 'github_pat_', rest: /^[A-Za-z0-9_]{30,255}/ },
  { prefix: 'glpat-', rest: /^[A-Za-z0-9_-]{16,64}/ },
  { prefix: 'sk-', rest: /^(?=[A-Za-z0-9_-]{0,60}\d)[A-Za-z0-9_-]{20,200}/ },
  { prefix: 'sk_live_', rest: /^[A-Za-z0-9]{16,200}/ },
  { prefix: 'rk_live_', rest: /^[A-Za-z0-9]{16,200}/ },
  { prefix: 'xox', rest: /^[abprs]-[A-Za-z0-9-]{16,200}/ },
  { prefix: 'AIza', rest: /^[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/ },
  { prefix: 'npm_', rest: /^[A-Za-z0-9]{36}(?![A-Za-z0-9])/ },
  { prefix: 'hf_', rest: /^[A-Za-z0-9]{30,64}(?![A-Za-z0-9])/ },
  { prefix: 'eyJ', rest: /^[A-Za-z0-9_-]{10,400}\.eyJ[A-Za-z0-9_-]{2,400}/ },
]
const FORM_MIN = 10
const LOOK = 900
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
const PRIVATE_KEY_START = '-----BEGIN'

const formsByInitial = new Map<number, Form[]>()
for (const form of FORMS) {
  const initial = form.prefix.charCodeAt(0)
  formsByInitial.set(initial, [...(formsByInitial.get(initial) ?? []), form])
}

const NAME =
  /^(?:passwords?|passwd|passphrase|passwort|pwd|secret|secretkey|secret[_-]key|secret[_-]access[_-]key|client[_-]secret|api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|private[_-]?key|bearer)$/i
const PLACEHOLDER =
  /^(?:[<$%{[*]|\*+|x{3,}|your|my[_-]|example|changeme|placeholder|redacted|none|null|true|false|undefined|process\.|os\.|env\.|secrets?\.|config\.|string|dummy|test)/i

/** Secrets in the text; the survey is its own. */
export function addSecrets(findings: Finding[], text: string, survey: Survey): void {
  addForms(findings, text, survey)
  if ((survey.signs & ASSIGNMENT) !== 0) addAssigned(findings, text)
}

/** Every form begins where a name does, and it is long: only where parts of long runs begin can one stand. */
function addForms(findings: Finding[], text: string, { longRuns }: Survey): void {
  for (let run = 0; run < longRuns.length; run += 2) {
    const [start = 0, end = 0] = [longRuns[run], longRuns[run + 1]]
    for (let at = start; at + FORM_MIN <= end; at = nextPart(text, at, end)) addForm(findings, text, at)
    if (text.startsWith(PRIVATE_KEY_START, end - PRIVATE_KEY_START.length)) addPrivateKey(findings, text, end)
  }
}

/** After the next unit of the run that cannot be in a name; past its end when there is none. */
function nextPart(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) if (!isNameUnit(text.charCodeAt(at))) return at + 1
  return end
}

function addForm(findings: Finding[], text: string, at: number): void {
  for (const { prefix, rest } of formsByInitial.get(text.charCodeAt(at)) ?? []) {
    if (!text.startsWith(prefix, at)) continue
    const match = rest.exec(text.slice(at + prefix.length, at + prefix.length + LOOK))
    if (match !== null) findings.push(findingOf('secret', at, at + prefix.length + match[0].length))
  }
}

function addPrivateKey(findings: Finding[], text: string, beginEnd: number): void {
  const start = beginEnd - PRIVATE_KEY_START.length
  const match = PRIVATE_KEY.exec(text.slice(start, start + LOOK))
  if (match !== null) findings.push(findingOf('secret', start, start + match[0].length))
}

/** Values of `name = value` and `name: value` where both are of a secret. */
function addAssigned(findings: Finding[], text: string): void {
  let valuesEnd = 0
  let bracket = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x3a && code !== 0x3d) continue
    const start = afterBlanks(text, at + 1)
    // Values may hold signs: what was passed over for one sign is not read again for the next.
    if (valuesEnd <= start) valuesEnd = afterValue(text, start)
    const end = Math.min(valuesEnd, start + VALUE_MAX)
    if (end - start < VALUE_MIN) continue
    const nameStart = secretNameBefore(text, at)
    if (nameStart === -1) continue
    if (bracket < start) bracket = nextBracket(text, start)
    if (bracket >= end && isSecretValue(text.slice(start, end)))
      findings.push(findingOf('secret', nameStart, end))
  }
}

/** Where the name before the sign at `at` begins, -1 when it is no name of a secret. */
function secretNameBefore(text: string, at: number): number {
  let end = at
  while (end > 0 && at - end < BLANKS_MAX && isBlankOrQuote(text.charCodeAt(end - 1))) end -= 1
  let start = end
  while (start > 0 && end - start < NAME_MAX && isNameUnit(text.charCodeAt(start - 1))) start -= 1
  if (end - start < NAME_MIN) return -1
  const name = text.slice(start, end)
  return NAME.test(name) || NAME.test(lastPart(name)) ? start : -1
}

/** `DB_PASSWORD` ends in a name of its own. */
function lastPart(name: string): string {
  const parts = name.split(/[_-]/)
  const last = parts.at(-1) ?? ''
  return /^(?:key|token)$/i.test(last) ? `${parts.at(-2) ?? ''}_${last}` : last
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at - from < BLANKS_MAX && isBlankOrQuote(text.charCodeAt(at))) at += 1
  return at
}

function afterValue(text: string, from: number): number {
  let at = from
  while (at < text.length && isValueUnit(text.charCodeAt(at))) at += 1
  return at
}

/** The next round bracket, or the end of the text: a value with one is a call. */
function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x28 || code === 0x29) return at
  }
  return text.length
}

/** Letters with digits or signs, and not a reference or a stand-in. */
function isSecretValue(value: string): boolean {
  if (PLACEHOLDER.test(value)) return false
  return /[A-Za-z]/.test(value) && /[\d!@#%^&+/=]/.test(value) && !/^https?:/i.test(value)
}

function isNameUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x5f || code === 0x2d
}

function isBlankOrQuote(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x22 || code === 0x27 || code === 0x60 || code === 0x2a
}

function isValueUnit(code: number): boolean {
  return (
    code > 0x20 &&
    code < 0x7f &&
    code !== 0x22 &&
    code !== 0x27 &&
    code !== 0x60 &&
    code !== 0x2c &&
    code !== 0x3b
  )
}
