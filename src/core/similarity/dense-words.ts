import { type Token, tokenOf, valueInfo } from './dispute-clause.ts'
import { INFOS, infoOf } from './dispute-lexicon.ts'

// Words of scripts that are written without spaces.

/** Signs of scripts without spaces that say nothing by themselves. */
const PARTICLES: ReadonlySet<string> = new Set(
  '的 了 已 着 们 を が に で へ と の は も や 은 는 이 가 을 를 의 에 로 으로 와 과'.split(' '),
)
const DENSE_WORD_MAX = 6

/** Cuts a run without spaces into the words of the tables and single signs. Linear. */
export function denseWordsOf(run: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < run.length; ) {
    const word = knownAt(run, at) ?? run.slice(at, at + (isPairAt(run, at) ? 2 : 1))
    if (!PARTICLES.has(word)) found.push(word)
    at += word.length
  }
  return found
}

/** The tokens of a run without spaces; numerals in signs are numbers: `六月五日`. */
export function denseTokensOf(run: string, isQuoted: boolean): readonly Token[] {
  const tokens: Token[] = []
  let from = 0
  for (const found of run.matchAll(NUMERALS)) {
    const digits = digitsOf(found[0])
    if (digits === 0) continue
    tokens.push(...wordTokens(run.slice(from, found.index), isQuoted))
    tokens.push(tokenOf(String(digits), valueInfo(`= ${digits}`), 'number', isQuoted))
    from = found.index + found[0].length
  }
  return [...tokens, ...wordTokens(run.slice(from), isQuoted)]
}

function wordTokens(run: string, isQuoted: boolean): readonly Token[] {
  return denseWordsOf(run).map((word) => tokenOf(word, infoOf(word), 'word', isQuoted))
}

/** Where something is counted; the days of the week are counted, too, and are words of their own. */
const NUMERALS =
  /(?<![期周週曜])(?:[一二三四五六七八九十]{1,3}(?=[月日号點点時时楼樓层層階])|[二三四五六七八九十]{1,3}(?=[天个個岁歳元円次回分人名周週年件小]))/gu
const SIGNS = '一二三四五六七八九'
const TEN = '十'

/** `十二` is 12, `三十` is 30; 0 for what is written in another way. */
function digitsOf(numeral: string): number {
  const [tens, ones, ...more] = numeral.split(TEN)
  if (more.length > 0 || (tens ?? '').length > 1 || (ones ?? '').length > 1) return 0
  const valueOf = (sign: string): number => SIGNS.indexOf(sign) + 1
  if (ones === undefined) return valueOf(tens ?? '')
  return (tens === '' || tens === undefined ? 1 : valueOf(tens)) * 10 + (ones === '' ? 0 : valueOf(ones))
}

function knownAt(run: string, at: number): string | null {
  for (let size = Math.min(DENSE_WORD_MAX, run.length - at); size > 1; size -= 1) {
    const word = run.slice(at, at + size)
    if (INFOS.has(word)) return word
  }
  return null
}

function isPairAt(run: string, at: number): boolean {
  return (run.charCodeAt(at) & 0xfc00) === 0xd800
}
