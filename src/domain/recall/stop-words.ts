// English function words. They are in most texts, so they say nothing about which memory is meant. `may` is left out:
// it is a month.
const ENGLISH = `
  a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing down during each else few for from further had has have having he her here hers
  herself him himself his how however i if in into is it its itself just let me might more most must my myself no nor not
  now of off on once only or other our ours ourselves out over own same shall she should so some such than that the
  their theirs them themselves then there these they this those through to too under until up upon us very was we
  were what when where which while who whom whose why will with would yet you your yours yourself yourselves
  d ll m re s t ve`

const STOP_WORDS: ReadonlySet<string> = new Set(ENGLISH.split(/\s+/).filter((word) => word !== ''))

/** Whether a word, folded and in small letters, is neither indexed nor asked for. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
