import { grouped } from '../base/collections.ts'
import type { Token } from './dispute-clause.ts'
import { wordsOf } from './fact-words.ts'

type Phrase = readonly [words: readonly string[], means: string]

const RETURNS = wordsOf(`
  voltou volta voltam voltaram vuelve vuelven volvió volvieron torna tornano tornato tornata tornati tornate`)
const ANEW = ['de nouveau', 'à nouveau', 'di nuovo', 'de nuevo', 'de novo', 'otra vez', 'outra vez']

/** `voltou a funcionar`, `funziona di nuovo`: what says in two words that something is as it was before. */
const AGAIN_PHRASES: readonly Phrase[] = [
  ...RETURNS.map((verb) => [verb, 'a']),
  ...ANEW.map((words) => words.split(' ')),
].map((words) => [words, 'again'] as const)

/** Words that are one word together, and what they mean. */
const PHRASES: readonly Phrase[] = [
  ...AGAIN_PHRASES,
  [['ab', 'sofort'], 'jetzt'],
  [['ab', 'jetzt'], 'jetzt'],
  [['von', 'nun', 'an'], 'jetzt'],
  [['per', 'direct'], 'nu'],
  [['going', 'forward'], 'now'],
  [['out', 'of', 'order'], 'defective'],
  [['out', 'of', 'service'], 'defective'],
  [['in', 'service'], 'operational'],
  [['en', 'service'], 'operational'],
  [['hors', 'service'], 'defective'],
  [['in', 'betrieb'], 'operational'],
  [['as', 'well'], 'also'],
  [['called', 'off'], 'cancelled'],
  [['phased', 'out'], 'discontinued'],
  [['went', 'bust'], 'quit'],
  [['takes', 'place'], 'happens'],
  [['take', 'place'], 'happen'],
  [['looks', 'after'], 'maintains'],
  [['look', 'after'], 'maintains'],
  [['looked', 'after'], 'maintained'],
  [['takes', 'care', 'of'], 'maintains'],
  [['you', 'will', 'find'], 'find'],
  [["you'll", 'find'], 'find'],
  [['you', 'can', 'find'], 'find'],
  [['kicks', 'off'], 'starts'],
  [['kick', 'off'], 'start'],
  [['run', 'out'], 'gone'],
  [['off', 'limits'], 'forbidden'],
  [['out', 'of', 'action'], 'defective'],
  [['under', 'repair'], 'defective'],
  [['being', 'repaired'], 'defective'],
  [['back', 'in', 'service'], 'operational'],
  [['on', 'hold'], 'paused'],
  [['gone', 'over'], 'switched'],
  [['went', 'over'], 'switched'],
  [['changed', 'over'], 'switched'],
  [['moved', 'over'], 'moved'],
  [['move', 'over'], 'move'],
  [['took', 'the', 'place', 'of'], 'replaced'],
  [['taken', 'the', 'place', 'of'], 'replaced'],
  [['gave', 'way', 'to'], 'yielded'],
  [['given', 'way', 'to'], 'yielded'],
  [['made', 'way', 'for'], 'yielded'],
  [['cédé', 'la', 'place', 'à'], 'yielded'],
  [['pris', 'la', 'place', 'de'], 'remplacé'],
  [['dio', 'paso', 'a'], 'yielded'],
  [['tomó', 'el', 'lugar', 'de'], 'reemplazado'],
  [['deu', 'lugar', 'a'], 'yielded'],
  [['deu', 'lugar', 'ao'], 'yielded'],
  [['tomou', 'o', 'lugar', 'de'], 'substituído'],
  [['lasciato', 'il', 'posto', 'a'], 'yielded'],
  [['preso', 'il', 'posto', 'di'], 'sostituito'],
  [['taken', 'apart'], 'split'],
  [['pulled', 'apart'], 'split'],
  [['broken', 'up'], 'split'],
  [['split', 'up'], 'split'],
  [['one', 'after', 'the', 'other'], 'sequentially'],
  [['one', 'by', 'one'], 'sequentially'],
  [['at', 'the', 'same', 'time'], 'concurrently'],
  [['in', 'person'], 'onsite'],
  [['on', 'site'], 'onsite'],
  [['opts', 'for'], 'wants'],
  [['wishes', 'for'], 'wants'],
  [['back', 'up', 'and', 'running'], 'operational'],
  [['up', 'and', 'running'], 'operational'],
  [['up', 'and', 'healthy'], 'operational'],
  [['is', 'back', 'up'], 'operational'],
  [['are', 'back', 'up'], 'operational'],
  [['is', 'up', 'again'], 'operational'],
  [['are', 'up', 'again'], 'operational'],
  [['au', 'plus'], 'maximum'],
  [['has', 'asked', 'for'], 'wants'],
  [['have', 'asked', 'for'], 'want'],
  [['asks', 'for'], 'wants'],
  [['come', 'round'], 'switched'],
  [['come', 'around'], 'switched'],
  [['on', 'its', 'way'], 'shipped'],
  [['on', 'the', 'way'], 'shipped'],
  [['local', 'time'], 'localtime'],
  [['generally', 'available'], 'ga'],
  [['every', 'day'], 'daily'],
  [['each', 'day'], 'daily'],
  [['every', 'week'], 'weekly'],
  [['each', 'week'], 'weekly'],
  [['every', 'month'], 'monthly'],
  [['each', 'month'], 'monthly'],
  [['every', 'night'], 'nightly'],
  [['every', 'hour'], 'hourly'],
  [['every', 'year'], 'yearly'],
  [['once', 'a', 'day'], 'daily'],
  [['once', 'a', 'week'], 'weekly'],
  [['once', 'a', 'month'], 'monthly'],
  [['twice', 'a', 'day'], 'twice-daily'],
  [['twice', 'a', 'week'], 'twice-weekly'],
  [['twice', 'a', 'month'], 'twice-monthly'],
  [['twice', 'a', 'year'], 'twice-yearly'],
  [['once', 'a', 'night'], 'nightly'],
  [['once', 'a', 'year'], 'yearly'],
  [['cada', 'noche'], 'nightly'],
  [['cada', 'día'], 'daily'],
  [['cada', 'semana'], 'weekly'],
  [['cada', 'mes'], 'monthly'],
  [['chaque', 'nuit'], 'nightly'],
  [['chaque', 'jour'], 'daily'],
  [['chaque', 'semaine'], 'weekly'],
  [['chaque', 'mois'], 'monthly'],
  [['jede', 'nacht'], 'nightly'],
  [['ogni', 'notte'], 'nightly'],
  [['ogni', 'giorno'], 'daily'],
  [['ogni', 'settimana'], 'weekly'],
  [['ogni', 'mese'], 'monthly'],
  [['elke', 'dag'], 'daily'],
  [['elke', 'week'], 'weekly'],
  [['elke', 'maand'], 'monthly'],
  [['elke', 'nacht'], 'nightly'],
  [['toda', 'semana'], 'weekly'],
  [['jeden', 'tag'], 'täglich'],
  [['jede', 'woche'], 'wöchentlich'],
  [['jeden', 'monat'], 'monatlich'],
  [['einmal', 'im', 'monat'], 'monatlich'],
  [['einmal', 'pro', 'woche'], 'wöchentlich'],
  [['einmal', 'am', 'tag'], 'täglich'],
  [['waiting', 'for', 'review'], 'review'],
  [['waiting', 'for', 'approval'], 'review'],
  [['waiting', 'for', 'payment'], 'unpaid'],
  [['put', 'back'], 'postponed'],
  [['slipped', 'back'], 'postponed'],
  [['passe', 'au'], 'changé'],
  [['passe', 'à'], 'changé'],
  [['a', 'lieu'], 'happens'],
  [['ont', 'lieu'], 'happen'],
  [['geht', 'wieder'], 'operational'],
  [['doet', 'het', 'weer'], 'operational'],
  [['passa', 'a', 'ser'], 'mudou'],
  [['passam', 'a', 'ser'], 'mudaram'],
  [['passa', 'a'], 'passato'],
  [['passa', 'al'], 'passato'],
  [['passa', 'para'], 'mudou'],
  [['passam', 'para'], 'mudaram'],
  [['passou', 'para'], 'mudou'],
  [['passaram', 'para'], 'mudaram'],
  [['pasa', 'a'], 'cambió'],
  [['pasa', 'al'], 'cambió'],
  [['pasan', 'a'], 'cambiaron'],
  [['pasó', 'a'], 'cambió'],
  [['pasó', 'al'], 'cambió'],
  [['pasaron', 'a'], 'cambiaron'],
]

/** The phrase that a word ends, and how many words of it stand before. */
export function phraseAt(
  tokens: readonly Token[],
  word: string,
): { readonly means: string; readonly before: number } | null {
  for (const [words, means] of ENDING.get(word) ?? NONE) {
    const before = words.length - 1
    if (standsBefore(tokens, words, before)) return { means, before }
  }
  return null
}

function standsBefore(tokens: readonly Token[], words: readonly string[], before: number): boolean {
  const start = tokens.length - before
  if (start < 0) return false
  for (let at = before - 1; at >= 0; at -= 1) if (tokens[start + at]?.text !== words[at]) return false
  return true
}

const NONE: readonly Phrase[] = []
/** By their last words. */
const ENDING: ReadonlyMap<string, readonly Phrase[]> = grouped(PHRASES, ([words]) => words.at(-1) ?? '')
