import { addCall } from './addressed.ts'
import { decodedIn } from './decode.ts'
import { addDirectives } from './directive.ts'
import {
  EXECUTION_KINDS,
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  findingOf,
  type ScreeningContext,
} from './finding.ts'
import { addHidden, type Decoded } from './folding.ts'
import { addHiddenOrder, addRequests } from './orders.ts'
import { addOverrides } from './overrides.ts'
import { addActiveMarkup, addMarkup, addObsolete, addStructure } from './patterns.ts'
import { addDenseSigns, addSigns, addTold, type Sign } from './phrases.ts'
import { readingOf, sentencesOf } from './reading.ts'
import { addSecrets } from './secrets.ts'
import { addSteered } from './steering.ts'
import { BRACKET, PICTURE, surveyOf, UNUSUAL } from './survey.ts'

/** Findings that are told one by one; of what follows them the first of each kind. A text may hold a million of them. */
export const FINDINGS_MAX = 32
/** How often an encoding inside an encoding is opened. */
const DEPTH_MAX = 2

/**
 * What is instruction-like or deceptive in a text, in order of place; empty when nothing was found, which is no proof
 * that the text is safe. The whole text is read, in time that grows with its length only; see `FINDINGS_MAX`. Same text, same context: the
 * same findings. Texts of runs (domain execution, type execution_memory) are searched for the kinds that apply to them.
 */
export function screen(text: string, context: ScreeningContext): readonly Finding[] {
  const query = context.queryText?.toLowerCase() ?? ''
  const findings: Finding[] = []
  addFindings(findings, text, { context, query, depth: 0, outer: null })
  const found = distinct(withoutShown(text, findings))
  return foremost(isExecution(context) ? found.filter(({ kind }) => EXECUTION_KINDS.has(kind)) : found)
}

function foremost(findings: readonly Finding[]): readonly Finding[] {
  const kinds = new Set<FindingKind>()
  return findings.filter(({ kind }, at) => {
    const isKnown = kinds.has(kind)
    kinds.add(kind)
    return at < FINDINGS_MAX || !isKnown
  })
}

function isExecution({ domain, declaredType }: ScreeningContext): boolean {
  return domain === 'execution' || declaredType === 'execution_memory'
}

/** Encodings in which nobody writes sentences that are to be read. */
const HIDING: ReadonlySet<string> = new Set<Decoded['encoding']>(['hex', 'binary', 'base32', 'base64'])

/** How a text is read: the one that was given, or one that was found in it encoded. */
interface Level {
  readonly context: ScreeningContext
  readonly query: string
  /** Encodings around the text. */
  readonly depth: number
  readonly outer: Decoded['encoding'] | null
}

/** What the words and lines of a text say, and what they say once decoded. */
function addFindings(findings: Finding[], text: string, level: Level): void {
  const { context, query, depth } = level
  const survey = surveyOf(text)
  if (depth === 0 && (survey.signs & UNUSUAL) !== 0) addHidden(findings, text)
  addStructure(findings, text, survey)
  if ((survey.signs & PICTURE) !== 0) addMarkup(findings, text, query)
  if ((survey.signs & BRACKET) !== 0) addActiveMarkup(findings, text)
  const reading = readingOf(text, context)
  const signs: Sign[] = []
  const { heads } = reading.words
  let head = 0
  for (const sentence of sentencesOf(reading.words)) {
    addOverrides(findings, reading, sentence)
    addDirectives(findings, reading, sentence)
    addRequests(findings, reading, sentence, query)
    for (; (heads[head] ?? sentence.to) < sentence.to; head++) {
      const at = heads[head] ?? 0
      addCall(findings, signs, reading, sentence, at)
      addSigns(signs, reading, sentence, at)
    }
  }
  if ((survey.signs & UNUSUAL) !== 0) addDenseSigns(signs, reading)
  if (signs.length > 0) addTold(findings, reading, signs)
  if (findings.length === 0 && level.outer !== null && HIDING.has(level.outer))
    addHiddenOrder(findings, reading)
  if (findings.length === 0 && !isExecution(context)) addSteered(findings, reading)
  if (depth === DEPTH_MAX) return
  if (depth === 0) {
    for (const [start, end] of reading.words.mixed) findings.push(findingOf('mixed_script', start, end))
    if (!isExecution(context)) {
      addSecrets(findings, text, survey)
      addObsolete(findings, text)
    }
  }
  for (const decoded of decodedIn(text, survey, level.outer)) {
    const inner: Finding[] = []
    addFindings(inner, decoded.text, { context, query, depth: depth + 1, outer: decoded.encoding })
    for (const finding of inner) findings.push(asEncoded(finding, decoded))
  }
}

/** A finding in decoded text stands where the encoded text stands. */
function asEncoded(finding: Finding, { spanOf, encoding }: Decoded): Finding {
  const [start, end] = spanOf(finding.start, finding.end)
  return { ...finding, start, end, sentence: `${finding.sentence} It is encoded (${encoding}).` }
}

/** In order of place, one for each kind and start: what is found plainly is not repeated as decoded. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings
  const seen = new Map<Finding['kind'], Set<number>>()
  const kept = findings.filter(({ kind, start }) => {
    const starts = seen.get(kind) ?? new Set()
    if (starts.has(start)) return false
    seen.set(kind, starts.add(start))
    return true
  })
  return kept.sort((a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : 1))
}

// Orders that are shown, not given: a document about injections quotes them, a test suite holds them, a filter logs what
// it blocked. What tells such a text from an attack in quotation marks: outside of the quotation it speaks of attacks, of
// tests or of filters, or it is a line of a log; it orders nobody to do what is quoted; and nothing else is found in it.
// The words were collected from how such documents speak in the languages whose orders are known here.

/** Found in words that somebody else may have said. */
const QUOTABLE: ReadonlySet<FindingKind> = new Set([
  'instruction_override',
  'assistant_directive',
  'prompt_disclosure',
])
/** A longer quotation is a text of its own. Units. */
const QUOTE_MAX = 200
/** How far from a quotation is said what it is. Units. */
const REACH = 160
/** A line of a log is no longer, as far as its quotation. Units. */
const LINE_UNITS = 10_000

const QUOTES = [
  ['"', '"'],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‘', '’'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  // Between letters it is an apostrophe.
  ["(?<![\\p{L}\\p{N}])'", "'(?![\\p{L}\\p{N}])"],
] as const
const QUOTED = new RegExp(
  QUOTES.map(([open, close]) => `${open}[^\\n]{1,${QUOTE_MAX}}?${close}`).join('|'),
  'gu',
)

const TOPIC = new RegExp(
  [
    '\\b(?:injections?|jailbreaks?|attacks?|attackers?|adversarial|malicious|phishing|scams?|exploits?|red[ -]?team(?:ing|s)?|classifiers?)\\b',
    '\\b(?:negative examples?|test (?:suite|case|set|data)s?|unit tests?|fixtures?|detectors?|scanners?|guardrails?|filters?)\\b',
    '\\b(?:when|if|once|after) (?:an?|the|some|somebody|someone|visitors|users)(?: \\w+)? (?:types?|enters?|submits?|pastes?|sends?|asks?)\\b|steps to reproduce',
    '\\b(?:block(?:s|ed)|reject(?:s|ed)|flag(?:s|ged)|detect(?:s|ed)|refus(?:es|ed)|sanitiz(?:es|ed)|moderation)\\b',
    '\\b(?:injektion(?:en)?|angriffe?|angreifer|betrug|betrugsmasche|testsuite|testf[aä]lle?|testdaten|negativbeispiele?|blockiert|abgelehnt|erkennt)\\b',
    '\\b(?:attaques?|attaquants?|arnaques?|filtres?|malveillante?s?|jeux? de tests?|bloqu\\w+|rejett?e\\w*|d[ée]tect\\w+)',
    '\\b(?:inyecci[oó]n(?:es)?|ataques?|atacantes?|estafas?|filtros?|malicios[oa]s?|casos? de prueba|bloque\\w+|rechaz\\w+|detect(?:a|an|ó|ado)\\b)',
    '\\b(?:inje[cç](?:[aã]o|[oõ]es)|casos? de teste|rejeit\\w+|golpes?|iniezion[ei]|attacc(?:o|hi)|truff[ae]|filtri|blocca\\w*|rileva\\w*)',
    '\\b(?:injecties?|aanval(?:len)?|oplichting|blokke\\w+|wstrzyk\\w+|atak(?:i|u|ów)?|filtr(?:y|u)?|sald[ıi]r[ıi]\\w*|enjeksiyon\\w*|filtre\\w*)',
    'инъекци|атак|злоумышленник|мошенн|фильтр|блокиру|заблокир|отклон|тестов|вредонос|обнаруж',
    '注入|攻击|攻擊|越狱|过滤|過濾|拦截|拒绝|拒絕|拒否|测试|恶意|攻撃|インジェクション|フィルタ|ブロック|テスト|検出|인젝션|공격|필터|차단|테스트|حقن|هجوم|مرشح|اختبار',
  ].join('|'),
  'iu',
)
/** Words right before a quotation that ask for what is quoted. */
const ASKS =
  /(?:\b(?:follow|obey|execute|perform|do|comply with|carry out|apply|answer|reply|respond|say|type|print|send|befolge|antworte|f[üu]hre|ex[ée]cute[rz]?|suive?z?|r[ée]pond\w*|sigue|ejecuta|responde|siga|execute|segui|esegui|rispondi|volg|wykonaj)\b|выполни|следуй|ответь|执行|遵循|回答|従っ|実行|따르|실행)[^.!?\n]{0,40}$/iu
/** Nothing that is only shown needs to reach anybody. */
const REACHES = /@|:\/\/|\bwww\./i

/** The findings without those that a text only shows; all of them when it does more than that. */
function withoutShown(text: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings
  const quotes = Array.from(
    text.matchAll(QUOTED),
    ({ index, 0: whole }) => [index, index + whole.length] as const,
  )
  const isShown = (finding: Finding): boolean => {
    if (!QUOTABLE.has(finding.kind) || finding.sentence !== FINDING_KINDS[finding.kind]) return false
    if (isInTestName(text, finding)) return true
    // What is found may begin with a word before it, or end with one behind it.
    const first = quotes[endingAfter(quotes, finding.start)]
    const last = quotes[endingAfter(quotes, finding.end - 1)]
    if (first !== undefined && first[0] <= finding.start) return isToldOf(text, first, quotes)
    return last !== undefined && last[0] < finding.end && isToldOf(text, last, quotes)
  }
  return findings.every(isShown) ? [] : findings
}

/** The name of a test says what it tries, in one word: `test_blocks_ignore_all_instructions`. */
const TEST_NAME = /(?:^|[^\w])(?:test|it|should|spec)_\w*$/

/** Whether all that was found stands in that word: what goes on behind it is told to somebody. */
function isInTestName(text: string, { start, end }: Finding): boolean {
  return (
    TEST_NAME.test(text.slice(Math.max(0, start - NAME_UNITS), start)) && /^\w*$/.test(text.slice(start, end))
  )
}

const NAME_UNITS = 80

type Span = readonly [start: number, end: number]

/** Place of the first span that ends after a unit: they are in order and do not overlap. */
function endingAfter(spans: readonly Span[], unit: number): number {
  let [from, to] = [0, spans.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((spans[middle]?.[1] ?? 0) > unit) to = middle
    else from = middle + 1
  }
  return from
}

function isToldOf(text: string, [start, end]: Span, quotes: readonly Span[]): boolean {
  if (REACHES.test(text.slice(start, end))) return false
  const before = text.slice(Math.max(0, start - REACH), start)
  if (ASKS.test(before)) return false
  const line = text.slice(Math.max(0, start - LINE_UNITS), end)
  const lineStart = line.lastIndexOf('\n', line.length - (end - start)) + 1
  if ((lineStart > 0 || start <= LINE_UNITS) && LOG_LINE.test(line.slice(lineStart))) return true
  // What other quotations say is not what the text says.
  let around = before + text.slice(end, end + REACH)
  const near = quotes.slice(endingAfter(quotes, start - REACH), endingAfter(quotes, end + REACH))
  for (const [from, to] of near) if (from !== start) around = around.replace(text.slice(from, to), ' ')
  return TOPIC.test(around)
}

// A line that a program wrote about what it did: it begins with the time of day, or names its level as a program does.
// The forms are those of syslog, of common web servers, of the logging libraries of the large languages, of logfmt and
// of JSON lines. A date without a time is how people begin a note, and so is a bare `Warning:`.

const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)'
const TIME = '\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?:Z|[+-]\\d{2}:?\\d{2})?'
const LOG_LINE = new RegExp(
  [
    `\\[?\\d{4}[-/]\\d{2}[-/]\\d{2}[T ]${TIME}`,
    `\\[?[A-Z][a-z]{2} {1,2}\\d{1,2} (?:\\d{4} )?${TIME}`,
    `\\[?${TIME}\\]? \\[?${LEVEL}\\b`,
    `\\[${LEVEL}\\] `,
    `${LEVEL}:? \\[?(?:\\d{4}[-/]\\d{2}[-/]\\d{2}[T ])?${TIME}`,
    '\\S{1,64} \\S{1,64} \\S{1,64} \\[\\d{2}/[A-Z][a-z]{2}/\\d{4}:',
    '(?:ts|time|timestamp|at)=\\S{8,40} (?:level|lvl|severity)=',
    '(?:level|lvl|severity)=\\w{3,8} (?:\\w{1,32}=\\S{1,64} )?(?:ts|time|msg|message)=',
    '\\{"(?:level|lvl|severity|ts|time|timestamp|@timestamp)":.{1,400}"(?:msg|message|level|severity)":',
  ]
    .map((form) => `^(?:${form})`)
    .join('|'),
)
/** Lines looked at; what follows them is more of the same. */
const LINES_MAX = 50

/** Whether every line of a text is one of a log; a line that is set in belongs to the one before. */
export function isLog(text: string): boolean {
  const lines = text.split('\n', LINES_MAX).filter((line) => line.trim() !== '')
  const [first] = lines
  return (
    first !== undefined &&
    LOG_LINE.test(first) &&
    lines.every((line) => /^\s/.test(line) || LOG_LINE.test(line))
  )
}
