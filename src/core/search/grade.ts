/**
 * What makes a match strong: a memory that on its own shows that it is about what is asked. Found by measurement over
 * twelve sets of questions in five languages, cut into 92 scopes of 25 to 9000 memories, each asked 100 to 500 questions
 * of its own and up to 500 of other sets; docs/internals/recall.md, Grades.
 */
export const GRADES = {
  /**
   * Information that a match must have, in words as rare as can be: the root of the number of memories over this, at
   * most `needMax`. The more memories, the more of them share a rare word with a question by chance. Of the divisors
   * 40, 50 and 60 this one leaves 93 % of foreign questions without a strong match.
   */
  needDivisor: 65,
  needMax: 1.5,
  /**
   * A question's need grows as the share of its words that memory knows falls, with this power of it: of a question about
   * something else most words are in no memory (0.63 of them; of one about the scope 0.07).
   */
  knownPower: 2,
  /**
   * What an everyday word tells of what a word does: in a small scope it is rare too, and a question about something else
   * has it as well. Of 0.2, 0.3, 0.5 and 1 this one lets fewest foreign questions through at the same share of own ones.
   */
  everyday: 0.3,
  /** What an identifier that nobody wrote counts of an unknown word, and how many do: a pasted trace has many. */
  unknownIdentifier: 0.5,
  unknownIdentifiersMax: 2,
  /** Information that is enough of any question: a long one has many words that no memory knows. */
  alone: 2.5,
  /** Share of what is asked that is enough, however common its words are. */
  coverage: 0.75,
  /**
   * A question is in doubt when no match is enough of any question, has all of the coverage, or has this product of the
   * information and the coverage that it needs. In the middle the best match of a foreign question has 0.5, that of an own one 3.
   */
  sure: 1,
  /** A match with less than this share of the best one's text score is weak beside it; of a question in doubt. */
  besideBest: 0.2,
  besideDoubted: 0.6,
  /**
   * What stands beside a match in its run is as strong when it is lent this share of the best one's text score, unless the
   * question is in doubt.
   */
  lentBesideBest: 0.3,
  /**
   * So much less than the best strong memory may have in logarithms of odds, all signals together: with a twentieth of its
   * odds a memory is weak beside it; one of the first three with a fiftieth.
   */
  oddsBesideBest: 3,
  oddsOfFirst: 4,
  first: 3,
} as const

/** What a strong match has: one of both at least. */
export interface Need {
  /** In words as rare as can be. */
  readonly information: number
  /** Share of the question's information. */
  readonly coverage: number
}

/** What a match must have in a scope of so many memories for a question of whose words this share is known. */
export function needOf(docs: number, known: number): Need {
  const familiar = known ** GRADES.knownPower
  const information = Math.min(GRADES.needMax, Math.sqrt(docs) / GRADES.needDivisor) / familiar
  return { information: Math.min(GRADES.alone, information), coverage: GRADES.coverage / familiar }
}
