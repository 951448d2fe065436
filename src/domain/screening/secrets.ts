import { type Finding, findingOf } from './finding.ts'

// Secrets by the forms their issuers publish, found from a literal prefix with a bounded look behind it, and values
// assigned to a name that says password, key or token.

const VALUE_MAX = 512

interface Form {
  readonly prefix: string
  /** What follows the prefix, from its first unit on. */
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
  { prefix: '-----BEGIN ', rest: /^(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
]
const LOOK = 900

const NAME =
  /^(?:passwords?|passwd|passphrase|passwort|pwd|secret|secretkey|secret[_-]key|secret[_-]access[_-]key|client[_-]secret|api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|private[_-]?key|bearer)$/i
const PLACEHOLDER =
  /^(?:[<$%{[*]|\*+|x{3,}|your|my[_-]|example|changeme|placeholder|redacted|none|null|true|false|undefined|process\.|os\.|env\.|secrets?\.|config\.|string|dummy|test)/i

export function secretFindings(text: string): Finding[] {
  const findings: Finding[] = []
  for (const { prefix, rest } of FORMS) {
    for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + prefix.length)) {
      if (isNameUnit(text.charCodeAt(at - 1)) && prefix !== '-----BEGIN ') continue
      const match = rest.exec(text.slice(at + prefix.length, at + prefix.length + LOOK))
      if (match !== null) findings.push(findingOf('secret', at, at + prefix.length + match[0].length))
    }
  }
  for (let at = nextSign(text, 0); at !== -1; at = nextSign(text, at + 1)) {
    const finding = assignedAt(text, at)
    if (finding !== null) findings.push(finding)
  }
  return findings
}

function nextSign(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x3a || code === 0x3d) return at
  }
  return -1
}

/** The value of `name = value` or `name: value` around the sign at `at`, when the name and the value are of a secret. */
function assignedAt(text: string, at: number): Finding | null {
  let nameEnd = at
  while (nameEnd > 0 && at - nameEnd < 4 && isBlankOrQuote(text.charCodeAt(nameEnd - 1))) nameEnd -= 1
  let nameStart = nameEnd
  while (nameStart > 0 && nameEnd - nameStart < 40 && isNameUnit(text.charCodeAt(nameStart - 1)))
    nameStart -= 1
  const name = text.slice(nameStart, nameEnd)
  if (name.length < 3 || !(NAME.test(name) || NAME.test(lastPart(name)))) return null
  let start = at + 1
  while (start - at < 5 && isBlankOrQuote(text.charCodeAt(start))) start += 1
  let end = start
  while (end < text.length && end - start < VALUE_MAX && isValueUnit(text.charCodeAt(end))) end += 1
  const value = text.slice(start, end)
  return isSecretValue(value) ? findingOf('secret', nameStart, end) : null
}

/** `DB_PASSWORD` ends in a name of its own. */
function lastPart(name: string): string {
  const parts = name.split(/[_-]/)
  const last = parts.at(-1) ?? ''
  return /^(?:key|token)$/i.test(last) ? `${parts.at(-2) ?? ''}_${last}` : last
}

/** Eight units or more with letters and digits or signs, and not a reference or a stand-in. */
function isSecretValue(value: string): boolean {
  if (value.length < 8 || PLACEHOLDER.test(value) || /[()]/.test(value)) return false
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
