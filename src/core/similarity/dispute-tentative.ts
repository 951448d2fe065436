import type { DisputeReading } from './dispute-reading.ts'
import { wordSet } from './fact-words.ts'

/** What is thought about, proposed or wished for does not hold yet. */
export function isTentative({ spelling }: DisputeReading): boolean {
  return spelling.some((word, at) => {
    const next = spelling[at + 1] ?? ''
    if (word.startsWith('plan')) return next === 'to' || (next === 'is' && spelling[at + 2] === 'to')
    if (TENTATIVE.has(word)) return word !== 'would' || !LIKED.has(next)
    return word.charCodeAt(0) > 0x2e7f && TENTATIVE_DENSE.test(word)
  })
}

const LIKED = wordSet('like rather')
const TENTATIVE = wordSet(`
  whether requested ob czy ли considering consider considers considered proposed proposes proposal propose suggested suggests suggest suggestion intends intend maybe perhaps possibly might thinking evaluating
  evaluate discussing discuss debating idea wonders wondering hopes plans wishes would could undecided tentative tentatively eventually someday
  vielleicht überlegt überlegen erwägt erwägen vorschlag vorgeschlagen eventuell womöglich diskutiert würde könnte möglicherweise
  envisage envisagent envisageons proposé propose proposition peut-être éventuellement réfléchit voudrait
  considera considerando considerar propone propuesta propuesto quizá quizás tal podría podrían quisiera evalúa evaluando
  considera cogita cogitando talvez proposta proposto poderia avalia avaliando gostaria valuta valutando forse proponiamo potrebbe
  overweegt overwegen misschien voorstel zou może rozważa rozważamy propozycja может возможно рассматривает рассматриваем предлагает`)
const TENTATIVE_DENSE = /考虑|可能会|也许|建议|打算|検討|かもしれ|提案|つもり/
