import type { Token } from './dispute-clause.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Where those gather who do so in one place: `the choir rehearses in the old mill`.

/** A verb that tells of those who gather. */
export function gathers({ text }: Pick<Token, 'text'>): boolean {
  return GATHERS.has(text)
}

/** `trifft sich im Rathaus`; but not `meets us at the gate`, `meets in secret`, `meets in the hall until Easter`. */
export function isGathering(tokens: readonly Token[], verbAt: number, leadAt: number): boolean {
  const [lead, next] = [tokens[leadAt], tokens[leadAt + 1]]
  const isWhich =
    isDefinite(lead) || isDefinite(next) || next?.hasCapital === true || WITH_ARTICLE.has(lead?.text ?? '')
  return (
    isWhich &&
    tokens.slice(verbAt + 1, leadAt).every(({ text }) => BESIDE.has(text)) &&
    tokens
      .slice(leadAt + 1)
      .every(
        ({ isContent, classes, text }) =>
          !MOMENTS.has(text) && (isContent || (classes & W.article) !== 0 || BESIDE.has(text)),
      )
  )
}

/** `the`, `im`, `nella` */
export function isDefinite(token: Token | undefined): boolean {
  return token !== undefined && (token.classes & W.article) !== 0 && (token.classes & W.indefinite) === 0
}

const GATHERS = wordSet(
  'meets rehearses probt trifft répète réunit ensaya reúne riunisce repeteert vergadert',
)
/** `dans l'école` loses its article when it is read. */
const WITH_ARTICLE = wordSet('dans im am beim zum nel nello nella nei nelle al au aux na no nas nos')
/** What does not tell where they gather. */
const BESIDE = wordSet('sich zich now jetzt maintenant ahora adesso nu agora of von de di du del')
const MOMENTS = wordSet(
  'evening night nacht abend soirée nuit matinée noche tarde notte sera serata avond noite presence geheim geheimen tonight',
)
