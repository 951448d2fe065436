// The largest bodies that the contract allows, of texts that are dear to read.
import { VALUES_MAX } from '../../src/contract/parse.ts'
import { mulberry32, zipfWords } from '../synthetic-text.ts'

export const SCOPE = 'largest'
/** Below the limit of 5 MiB, with the rest of the body around it. */
export const BODY_CHARS = 5_200_000
const NODES = 256
const NODE_CHARS = 20_000
const CANDIDATES = 200
const LONG_CANDIDATE_CHARS = 199_000
const CLAIMS = 32
/** A claim, the summary of a run and the text of a handoff are written twice: as they were said and as a memory. */
export const WRITTEN_TWICE_CHARS = 4_000_000
const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export type Body = Readonly<Record<string, unknown>>
/** A text of so many characters or some fewer. */
export type Text = (chars: number) => string

/** Words that nobody wrote before, of 3 to 10 letters. */
export function randomWords(seed: number): Text {
  const random = mulberry32(seed)
  return textOf(() =>
    Array.from({ length: 3 + Math.floor(random() * 8) }, () =>
      SMALL_LETTERS.charAt(Math.floor(random() * SMALL_LETTERS.length)),
    ).join(''),
  )
}

/** Words of one vocabulary. */
export function knownWords(seed: number): Text {
  return textOf(zipfWords(mulberry32(seed)))
}

/** Statements, each of which another may contradict. */
export function statements(seed: number): Text {
  const random = mulberry32(seed)
  const word = zipfWords(random)
  return textOf(() => `The ${word()} port of ${word()} is ${Math.floor(random() * 9000)}.`)
}

/** A script without spaces: of three bytes a character, and each but the last begins a term. */
export function denseText(seed: number): Text {
  const random = mulberry32(seed)
  return (chars) => {
    let text = ''
    while (text.length < chars / 3) text += String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))
    return text
  }
}

/** Paths, of which every end is a name. */
export function paths(seed: number): Text {
  const word = zipfWords(mulberry32(seed))
  return textOf(() => Array.from({ length: 12 }, word).join('/'))
}

export const TEXTS: Readonly<Record<string, (seed: number) => Text>> = {
  'words that nobody wrote before': randomWords,
  'words of one vocabulary': knownWords,
  statements,
  'a script without spaces': denseText,
  paths,
}

function textOf(piece: () => string): Text {
  return (chars) => {
    const pieces: string[] = []
    for (let length = 0; length < chars - 100; length += (pieces.at(-1)?.length ?? 0) + 1)
      pieces.push(piece())
    return pieces.join(' ')
  }
}

/** As many memories as one request may have, as long as the body allows. */
export function nodesBody(text: Text, more: Body = {}): Body {
  const nodes = Array.from({ length: NODES }, () => ({ kind: 'fact', text: text(NODE_CHARS) }))
  return { scope: SCOPE, nodes, ...more }
}

export function longTextBody(text: Text): Body {
  return { scope: SCOPE, memory: { kind: 'fact', text: text(BODY_CHARS) } }
}

/** As many values as a body may have, but for those around them, each with a name of its own. Some keys are stored escaped. */
export function payloadBody(round: number, key = 'name'): Body {
  const values: Body[] = Array.from({ length: VALUES_MAX / 2 - 100 }, (_, at) => ({
    [`name-${at}`]: `value ${round}`,
  }))
  values.push({ [key]: round })
  return { scope: SCOPE, memory: { kind: 'fact', text: `The table of round ${round}.`, payload: values } }
}

export function handoffBody(text: Text): Body {
  return {
    scope: SCOPE,
    handoff: { anchor: 'largest', summary: text(WRITTEN_TWICE_CHARS), next_action: 'go on' },
  }
}

export function claimsBody(text: Text): Body {
  const claims = Array.from({ length: CLAIMS }, (_, at) => ({
    subject_key: `subject-${at}`,
    predicate: 'says',
    value: text(WRITTEN_TWICE_CHARS / CLAIMS),
    slot_key: `slot-${at}`,
  }))
  return { scope: SCOPE, claims }
}

/** As many candidates as one request may have, or as long ones. */
export function candidatesBody(text: Text, isLong: boolean): Body {
  const chars = isLong ? LONG_CANDIDATE_CHARS : BODY_CHARS / CANDIDATES - 200
  const candidates = Array.from({ length: isLong ? 26 : CANDIDATES }, (_, at) => ({
    external_memory_id: `external-${at}`,
    source_backend: 'bench',
    text: text(chars),
  }))
  return { scope: SCOPE, query_text: 'what is known', candidates, include_records: true }
}
