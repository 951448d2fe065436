import { classesOfWord } from './dispute-words.ts'

// Words of scripts that are written without spaces.

/** Says `no longer` by itself. */
export const DENSE_NO_LONGER: ReadonlySet<string> = new Set(['不再', 'もはや', '더이상', '더 이상'])

/** Signs of scripts without spaces that say nothing by themselves. */
const PARTICLES: ReadonlySet<string> = new Set(
  '的 了 着 们 を が に で へ と の は も や 은 는 이 가 을 를 의 에 로 으로 와 과'.split(' '),
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

function knownAt(run: string, at: number): string | null {
  for (let size = Math.min(DENSE_WORD_MAX, run.length - at); size > 1; size -= 1) {
    const word = run.slice(at, at + size)
    if (classesOfWord(word) !== 0 || DENSE_NEGATIONS.has(word) || DENSE_NO_LONGER.has(word)) return word
  }
  return null
}

/** Negations of scripts without spaces. */
export const DENSE_NEGATIONS: ReadonlySet<string> = new Set(
  '不 没 沒 無 无 未 非 勿 不要 没有 ません ない 않 없 못 안'.split(' '),
)

function isPairAt(run: string, at: number): boolean {
  return (run.charCodeAt(at) & 0xfc00) === 0xd800
}
