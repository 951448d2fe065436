import { type Finding, findingOf } from './finding.ts'
import { matchesIn } from './matches.ts'
import { ASSIGN, type Survey } from './survey.ts'

// Secrets by the forms their issuers publish, and values assigned to a name that says password, key or token.

/** Every form begins where a name does. */
const FORM = new RegExp(
  `(?<![\\w-])(?:${[
    /A[KS]IA[A-Z0-9]{16}(?![A-Z0-9])/,
    /gh[pos]_[A-Za-z0-9]{30,255}/,
    /github_pat_\w{30,255}/,
    /glpat-[\w-]{16,64}/,
    /sk-(?=[\w-]{0,60}\d)[\w-]{20,200}/,
    /[rs]k_live_[A-Za-z0-9]{16,200}/,
    /xox[abprs]-[A-Za-z0-9-]{16,200}/,
    /AIza[\w-]{35}(?![\w-])/,
    /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/,
    /hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9])/,
    /eyJ[\w-]{10,400}\.eyJ[\w-]{2,400}/,
  ]
    .map(({ source }) => source)
    .join('|')})`,
  'g',
)
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** A sign that may assign, and in front of it a name and some blanks and quotes. */
const SIGN = /[:=](?<=([\w-]{3,40})([ \t"'`*]{0,4}).)/g
/** Some blanks and quotes, and a value. */
const VALUE = /([ \t"'`*]{0,4})([!#-&(-+\--:<-_a-~]{8,512})/y
/** A name of a secret, but for the first also behind other words, as in `DB_PASSWORD`. */
const NAME =
  /^token$|(?:^|[_-])(?:passwords?|passwd|passphrase|passwort|pwd|secret|secretkey|secret[_-]key|secret[_-]access[_-]key|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key|bearer)$/i
/** Letters with digits or signs, and not a reference, a call or a stand-in. */
const SECRET_VALUE = /^(?=.*?[A-Za-z])(?=.*?[\d!@#%^&+/=])(?!https?:)[^()]*$/i
const PLACEHOLDER =
  /^(?:[<$%{[*]|\*+|x{3,}|your|my[_-]|example|changeme|placeholder|redacted|none|null|true|false|undefined|process\.|os\.|env\.|secrets?\.|config\.|string|dummy|test)/i

/** Every form begins with a run of so many units, the heading of a private key with its dashes and `BEGIN`. */
const RUN_MIN = 10

/** Linear: a bounded look at every prefix of a form, and at every name that is assigned to. */
export function addSecrets(findings: Finding[], text: string, { signs, longest }: Survey): void {
  for (const pattern of longest < RUN_MIN ? [] : [FORM, PRIVATE_KEY]) {
    for (const { index, 0: secret } of matchesIn(text, pattern))
      findings.push(findingOf('secret', index, index + secret.length))
  }
  if ((signs & ASSIGN) === 0) return
  for (const { index: sign, 1: name = '', 2: blanks = '' } of matchesIn(text, SIGN)) {
    const end = NAME.test(name) ? secretEnd(text, sign + 1) : -1
    if (end !== -1) findings.push(findingOf('secret', sign - blanks.length - name.length, end))
  }
}

/** Where the secret ends that is assigned from `from` on, -1 for none. */
function secretEnd(text: string, from: number): number {
  VALUE.lastIndex = from
  const { 0: whole, 2: value } = VALUE.exec(text) ?? ['', '', '']
  return SECRET_VALUE.test(value) && !PLACEHOLDER.test(value) ? from + whole.length : -1
}
