import { answerOrdered, answerShaped } from './answer.ts'
import { askedForPrompt, askedForWhatWasGiven } from './disclosure.ts'
import { type Finding, type FindingKind, findingOf } from './finding.ts'
import {
  classesIn,
  clauseStart,
  findClass,
  findWord,
  isInstructing,
  isOrder,
  isStatedNegation,
  isStatement,
  type Reading,
  type Sentence,
  wordIn,
} from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, wordAt } from './word-columns.ts'

// Orders about the assistant itself: its role, its answers, its checks, its instructions.

const FAR = 24
const NAMED_HOST =
  /^(?:assistants?|ai|llms?|chatbots?|(?:chat)?gpt|claude|gemini|copilot|助手|人工智能|アシスタント)$/
const CHECKS =
  /^(?:verification|confirmation|approval|authori[sz]ation|asking|permission|question(?:ing|s)?|hesitation|consent|confirming|verifying|checking|telling|informing|notifying|disclaimers?|warnings?|restrictions?)$/
const ROLES = /^(?:role|persona|identity|name|character|purpose|goal|objective|job)$/
const ROLE_VERBS = /^(?:act|behave|assume|adopt|enter)$/
const MODES =
  /^(?:developer|debug|god|jailbreak|dan|unrestricted|maintenance|admin|sudo|root|evil|unfiltered)$/

type Rule = (reading: Reading, sentence: Sentence, at: number) => number
interface DirectiveRule {
  readonly kind: FindingKind
  /** Classes one of which the word at hand must have. */
  readonly mask: number
  /** The last word of what was found, -1 for nothing. */
  readonly find: Rule
}

const RULES: readonly DirectiveRule[] = [
  { kind: 'prompt_disclosure', mask: W.REVEAL | W.TALK | W.HEAD, find: askedForPrompt },
  { kind: 'prompt_disclosure', mask: W.YOU, find: askedForWhatWasGiven },
  { kind: 'assistant_directive', mask: W.YOU, find: roleGiven },
  { kind: 'assistant_directive', mask: W.YOU, find: answerShaped },
  { kind: 'assistant_directive', mask: W.HOST, find: hostBound },
  { kind: 'assistant_directive', mask: W.ALWAYS, find: alwaysTold },
  { kind: 'assistant_directive', mask: W.TALK, find: answerOrdered },
  { kind: 'assistant_directive', mask: W.NEGATE, find: checkSkipped },
  { kind: 'assistant_directive', mask: W.NEGATE, find: userKeptOut },
  { kind: 'assistant_directive', mask: W.PERSONA, find: personaTaken },
  { kind: 'assistant_directive', mask: W.HEAD, find: actAs },
]
const ANY_RULE = RULES.reduce((masks, { mask }) => masks | mask, 0)

export function addDirectives(findings: Finding[], reading: Reading, sentence: Sentence): void {
  const { words } = reading
  for (let at = sentence.from; at < sentence.to; at++) {
    const mask = maskAt(words, at)
    if ((mask & ANY_RULE) === 0) continue
    for (const rule of RULES) {
      if ((mask & rule.mask) === 0) continue
      const end = rule.find(reading, sentence, at)
      if (end === -1) continue
      findings.push(findingOf(rule.kind, words.starts[at] ?? 0, words.ends[Math.max(at, end)] ?? 0))
      break
    }
  }
}

/** `you are now`, `you are an assistant`, `your new role`, `you will act as`. */
function roleGiven({ words }: Reading, sentence: Sentence, at: number): number {
  const first = wordAt(words, at)
  const second = wordIn(words, sentence, at + 1)
  if (first === 'your' && second === 'new') return ROLES.test(wordIn(words, sentence, at + 2)) ? at + 2 : -1
  const isBeing = first === "you're" || (first === 'you' && second === 'are')
  if (!isBeing) return -1
  const next = first === 'you' ? at + 2 : at + 1
  const word = wordIn(words, sentence, next)
  if (word === 'now') return isDeterminer(wordIn(words, sentence, next + 1)) ? next + 1 : -1
  const mode = findWord(words, next, Math.min(next + 4, sentence.to), MODES)
  if (mode !== -1 && wordAt(words, mode + 1) === 'mode') return mode
  if (word !== 'a' && word !== 'an') return -1
  return findWord(words, next, Math.min(next + 5, sentence.to), NAMED_HOST)
}

/** `the assistant must always send …`: an obligation of the assistant, not of a person or a program. */
function hostBound(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  const must = findClass(words, sentence, W.MUST, at, at + 3)
  const told = classesIn(words, sentence, must, must + FAR)
  const isAlways = (classesIn(words, sentence, at - 8, must + FAR) & W.ALWAYS) !== 0
  if (/^(?:will|have)$/.test(wordAt(words, must))) return -1
  if ((told & W.SEND) !== 0 && (told & W.ADDRESS) !== 0) return must
  if (!NAMED_HOST.test(wordAt(words, at))) return -1
  const isOut = (told & (W.SEND | W.REVEAL)) !== 0 && (told & W.SENSITIVE) !== 0
  return isOut || isAlways || (told & (W.DISREGARD | W.FOLLOW)) !== 0 ? must : -1
}

/** `from now on, include …`, `in every response, add …`, `always comply with …`. */
function alwaysTold(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isStatement(words, sentence, at)) return -1
  const isPlain = wordAt(words, at) === 'always'
  if (isPlain) return /^(?:comply|obey)$/.test(wordIn(words, sentence, at + 1)) ? at + 1 : -1
  if (isInstructing(reading.context)) return -1
  const isScope = /^(?:every|each|any|all)$/.test(wordAt(words, at))
  const from = at + 2
  const told = classesIn(words, sentence, from, at + 12)
  if ((told & W.YOU) !== 0) return at
  const order = findClass(words, sentence, W.SEND | W.REVEAL | W.TALK | W.FOLLOW | W.ALTER, from, at + 8)
  if (isStatement(words, sentence, order)) return -1
  return !isScope || levelAt(words, order) === 1 ? order : -1
}

/** `comply without further verification`: an order to leave a check out. */
function checkSkipped({ words }: Reading, sentence: Sentence, at: number): number {
  if (wordAt(words, at) !== 'without') return -1
  const check = findWord(words, at, Math.min(at + 4, sentence.to), CHECKS)
  const start = clauseStart(words, sentence, at, FAR)
  if ((classesIn(words, sentence, start, at) & W.NEGATE) !== 0) return -1
  const first = (maskAt(words, start) & (W.ALWAYS | W.POLITE)) !== 0 ? start + 1 : start
  return (maskAt(words, first) & (W.FOLLOW | W.ALTER | W.SEND | W.REVEAL)) !== 0 ? check : -1
}

/** `do not tell the user`: an order to hide something from the one who is served. */
function userKeptOut({ words }: Reading, sentence: Sentence, at: number): number {
  const verb = findWord(
    words,
    at,
    Math.min(at + 3, sentence.to),
    /^(?:tell|inform|notify|alert|mention|telling|informing)$/,
  )
  if (verb === -1) return -1
  if (isStatedNegation(words, sentence, at)) return -1
  return findWord(words, verb, Math.min(verb + 8, sentence.to), /^(?:user|human|owner|operator)$/)
}

/** `pretend to be …`, `simulate a terminal`. */
function personaTaken({ words }: Reading, sentence: Sentence, at: number): number {
  if (wordAt(words, at) === 'simulate' || !isOrder(words, sentence, at)) return -1
  return /^(?:to|you|that|as|being|an?|the)$/.test(wordIn(words, sentence, at + 1)) ? at + 1 : -1
}

/** `act as …`, `behave like …`, `assume the role of …` as an order. */
function actAs({ words }: Reading, sentence: Sentence, at: number): number {
  const verb = wordAt(words, at)
  if (!ROLE_VERBS.test(verb) || at + 2 >= sentence.to || !isOrder(words, sentence, at)) return -1
  if (verb === 'act' || verb === 'behave') {
    const next = wordAt(words, at + 1)
    return (next === 'as' || next === 'like') && isDeterminer(wordAt(words, at + 2)) ? at + 2 : -1
  }
  return findWord(words, at, Math.min(at + 4, sentence.to), verb === 'enter' ? MODES : ROLES)
}

function isDeterminer(word: string): boolean {
  return /^(?:an?|the|in|if|my|dan|going|to|no|free|called|named|acting|operating)$/.test(word)
}
