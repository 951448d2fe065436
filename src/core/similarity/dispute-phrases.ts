import { wordsOf } from './fact-words.ts'

const RETURNS = wordsOf(`
  voltou volta voltam voltaram vuelve vuelven volvió volvieron torna tornano tornato tornata tornati tornate`)
const ANEW = ['de nouveau', 'à nouveau', 'di nuovo', 'de nuevo', 'de novo', 'otra vez', 'outra vez']

/** `voltou a funcionar`, `funziona di nuovo`: what says in two words that something is as it was before. */
export const AGAIN_PHRASES: readonly (readonly [words: readonly string[], means: string])[] = [
  ...RETURNS.map((verb) => [verb, 'a']),
  ...ANEW.map((words) => words.split(' ')),
].map((words) => [words, 'again'] as const)
