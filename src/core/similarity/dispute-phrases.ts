import { grouped } from '../base/collections.ts'
import type { Token } from './dispute-clause.ts'
import { rowsOf } from './fact-words.ts'

type Phrase = readonly [words: readonly string[], means: string]

/** Words that are one word together, behind what they mean. */
const TABLE = `
again | voltou a | volta a | voltam a | voltaram a | vuelve a | vuelven a | volvió a | volvieron a | torna a | tornano a | tornato a | tornata a | tornati a
  | tornate a | de nouveau | à nouveau | di nuovo | de nuevo | de novo | otra vez | outra vez
jetzt | ab sofort | ab jetzt | von nun an
nu | per direct
now | going forward
defective | out of order | out of service | hors service | out of action | under repair | being repaired
operational | in service | en service | in betrieb | back up and running | up and running | up and healthy | is back up | are back up | is up again | are up again
  | geht wieder | doet het weer
also | as well
cancelled | called off
discontinued | phased out | switched off for good
quit | went bust
abandoned | gave up | given up | parted ways with | parted with
removed | been cleared out | been taken out | been archived | taken off | taken down | thrown out | ripped out | let go
resigned | stepped down
revoked | took back | taken back | take back
raised | turned up to
lowered | turned down to
stay | live for
stays | lives for
happens | takes place | a lieu
happen | take place | ont lieu
maintains | looks after | look after | takes care of
maintained | looked after
find | you will find | you'll find | you can find
starts | kicks off
start | kick off
gone | run out
forbidden | off limits
paused | on hold
switched | gone over | went over | changed over | come round | come around
moved | moved over
move | move over
replaced | took the place of | taken the place of
yielded | gave way to | given way to | made way for | cédé la place à | dio paso a | deu lugar a | deu lugar ao | lasciato il posto a
remplacé | pris la place de
reemplazado | tomó el lugar de
substituído | tomou o lugar de
sostituito | preso il posto di
split | taken apart | pulled apart | broken up | split up
halved | cut in half
sequentially | one after the other | one by one
sometimes | now and then
concurrently | at the same time
onsite | in person | on site
wants | opts for | wishes for | has asked for | asks for
maximum | au plus
want | have asked for
shipped | on its way | on the way
localtime | local time
ga | generally available
daily | every day | each day | once a day | cada día | chaque jour | ogni giorno | elke dag
weekly | every week | each week | once a week | cada semana | chaque semaine | ogni settimana | elke week | toda semana
monthly | every month | each month | once a month | cada mes | chaque mois | ogni mese | elke maand
nightly | every night | once a night | cada noche | chaque nuit | jede nacht | ogni notte | elke nacht
hourly | every hour
yearly | every year | once a year
twice-daily | twice a day
twice-weekly | twice a week
twice-monthly | twice a month
twice-yearly | twice a year
täglich | jeden tag | einmal am tag
wöchentlich | jede woche | einmal pro woche
monatlich | jeden monat | einmal im monat
review | waiting for review | waiting for approval
unpaid | waiting for payment
postponed | put back | slipped back
changé | passe au | passe à
mudou | passa a ser | passa para | passou para
mudaram | passam a ser | passam para | passaram para
passato | passa a | passa al
cambió | pasa a | pasa al | pasó a | pasó al
cambiaron | pasan a | pasaron a`

const PHRASES = rowsOf(TABLE).flatMap(([[means = ''] = [], ...phrases]) =>
  phrases.map((words): Phrase => [words, means]),
)

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
