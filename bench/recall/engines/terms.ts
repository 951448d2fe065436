import { languages } from '../../../src/adapters/language/languages.ts'
import { eachToken, WORD } from '../../../src/core/search/tokens.ts'
import {
  ENGLISH,
  isStopWordOf,
  LanguageVotes,
  languageOfWord,
  spellingsOf,
  wordMaskOf,
} from '../../../src/core/search/words.ts'

/** The terms under which memgov indexes a text, in order, separated by blanks: stop words gone, the others stemmed. */
export function termsOf(text: string): string {
  const votes = new LanguageVotes()
  const tokens: { readonly spoken: string; readonly folded: string; readonly isWord: boolean }[] = []
  eachToken(text, (source, start, end, kind) => {
    const spoken = source.spoken.slice(start, end)
    const folded = source.lower.slice(start, end)
    if (kind === WORD) votes.add(wordMaskOf(spoken, folded))
    tokens.push({ spoken, folded, isWord: kind === WORD })
  })
  const told = votes.winner() ?? ENGLISH
  const terms = tokens.flatMap(({ spoken, folded, isWord }) => {
    if (!isWord) return [folded]
    const mask = wordMaskOf(spoken, folded)
    const language = languageOfWord(mask, told)
    return isStopWordOf(mask, language) ? [] : spellingsOf(spoken, folded, languages, language)
  })
  return terms.join(' ')
}
