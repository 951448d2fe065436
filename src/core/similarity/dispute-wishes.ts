import { wordSet } from './fact-words.ts'

// What somebody wants to do, does at the moment, or has at hand.

interface Spoken {
  readonly text: string
  readonly hasCapital: boolean
}

/** `I want to return …`, `I'd like to change …`, `Quiero cambiar …`, `Ich möchte … umbuchen`. */
export function isWish(tokens: readonly Spoken[], isPersonal: boolean): boolean {
  if (!isPersonal && !WISHES_ALONE.has(tokens[0]?.text ?? '')) return false
  const at = tokens.findIndex(({ text }) => WISHES.has(text) || WISHES_ALONE.has(text))
  if (at < 0) return false
  if (tokens[at + 1]?.text === 'to')
    return !LASTING.has(tokens[at + 2]?.text ?? '') && isOfSpeaker(tokens, at)
  const verb = [tokens[at + 1], tokens[at + 2]].find((token) => INFINITIVE.test(token?.text ?? ''))
  const last = tokens[0]?.text === 'ich' || tokens[0]?.text === 'ik' ? tokens.at(-1) : undefined
  const wanted = WISHES_ALONE.has(tokens[at]?.text ?? '') ? verb : last
  if (wanted === undefined || wanted.hasCapital || LASTING.has(wanted.text)) return false
  return wanted === verb || GERMAN_INFINITIVE.test(wanted.text)
}

/** `I want`, `I'd like`, `I really need`, not `you need`. */
function isOfSpeaker(tokens: readonly Spoken[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ text }) => SPEAKERS.has(text))
}

const SPEAKERS = wordSet("i i'd i'm i've")
const WISHES = wordSet(
  'want need like love wish hope intend plan try trying going have möchte will muss würde wil moet',
)
/** Of these the speaker is known by their form, and the verb follows. */
const WISHES_ALONE = wordSet(`
  veux voudrais souhaite dois aimerais quiero quisiera necesito deseo debo quero gostaria preciso desejo voglio vorrei devo desidero хочу`)
/** What is wanted to be so, or each time. */
const LASTING = wordSet(`
  be get receive have hear see know read stay bekommen erhalten sein haben krijgen hebben recevoir être avoir recibir ser estar tener receber ter
  ricevere essere avere получать`)
const INFINITIVE = /..(?:[aei]r|re|ть)$/u
const GERMAN_INFINITIVE = /..e[lr]?n$/

interface Told {
  readonly tokens: readonly Spoken[]
  readonly isPersonal: boolean
}

/** `I have the key here`, `with me`, `right now`: of the moment in which it is said. */
export function isAtHand({ tokens, isPersonal }: Told): boolean {
  return (
    isPersonal &&
    tokens.some(
      ({ text }, at) =>
        HERE.has(text) ||
        (text === 'me' && tokens[at - 1]?.text === 'with') ||
        (text === 'now' && tokens[at - 1]?.text === 'right') ||
        isStepAt(tokens, at),
    )
  )
}

/** `I'm now working on the export`, `I'm fixing the login`: at that moment. */
function isStepAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  if (!STEPS.has(text) && !(text === 'working' && tokens[at + 1]?.text === 'on')) return false
  return tokens.slice(Math.max(0, at - 3), at).some((token) => token.text === "i'm" || token.text === 'i')
}

const STEPS = wordSet(`
  looking checking running reading waiting trying testing fixing writing adding starting updating investigating debugging reviewing editing building
  deploying removing moving changing`)
const HERE = wordSet('here hier ici aquí aqui qui handy dabei')
