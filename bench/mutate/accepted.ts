import type { Accepted } from './acceptance.ts'
import { ACCEPTED_ENCODINGS } from './accepted-encodings.ts'
import { ACCEPTED_WORDS } from './accepted-words.ts'

const GOVERNANCE = 'src/domain/governance'
const MEMORY = 'src/domain/memory'

/** A comparator of values that are never equal: only the sign of what it gives matters, and `-1` for the lesser. */
const ORDERED: Pick<Accepted, 'changes' | 'reason'> = {
  changes: [
    ['1', '1 + 1'],
    ['1', '1 - 1'],
    [
      'a.candidate.externalId < b.candidate.externalId',
      '(a.candidate.externalId) <= (b.candidate.externalId)',
    ],
  ],
  reason: 'ids of a request differ, and a sort asks only whether its comparator is below 0',
}

export const ACCEPTED: readonly Accepted[] = [
  ...ACCEPTED_ENCODINGS,
  ...ACCEPTED_WORDS,
  {
    file: `${GOVERNANCE}/attribution.ts`,
    line: 'surfaceOf.get(record.memoryId) ?? null',
    changes: [['surfaceOf.get(record.memoryId) ?? null', '(surfaceOf.get(record.memoryId))']],
    reason: 'ids without a surface have been refused two lines before',
  },
  {
    file: `${GOVERNANCE}/feedback.ts`,
    line: '?? 0',
    changes: [['0', '0 - 1']],
    reason: 'entries count from 1, so 0 and -1 both lie before all of them',
  },
  {
    file: `${GOVERNANCE}/govern-context.ts`,
    line: 'targetsOf(entries,',
    changes: [['TARGET_FILES_MAX', 'TARGET_FILES_MAX + 1']],
    reason: 'the list is cut at the same number once more when both kinds are put together',
  },
  {
    file: `${GOVERNANCE}/govern-decision.ts`,
    line: 'found.ids.sort()',
    changes: [['found.ids.sort()', ';']],
    reason: 'pairs come in the order of the ids, so the ids against one candidate come in it too',
  },
  { file: `${GOVERNANCE}/govern-examination.ts`, line: 'usable.sort(', ...ORDERED },
  {
    file: `${GOVERNANCE}/govern-examination.ts`,
    line: 'usable.length < 2',
    changes: [
      ['usable.length < 2', 'false'],
      ['2', '2 - 1'],
    ],
    reason: 'one text alone contradicts nothing: the line only saves work',
  },
  {
    file: `${GOVERNANCE}/govern-examination.ts`,
    line: 'reading === undefined',
    changes: [['reading === undefined', 'false']],
    reason: 'there is one reading for each candidate; the line is for the type only',
  },
  {
    file: `${GOVERNANCE}/govern-examination.ts`,
    line: 'one === undefined || other === undefined',
    changes: [['one === undefined || other === undefined', '(one === undefined) && (other === undefined)']],
    reason: 'both are places of the same list; the line is for the type only',
  },
  {
    file: `${GOVERNANCE}/govern-examination.ts`,
    line: "lastIndexOf('. ') + 1",
    changes: [
      ['1', '1 + 1'],
      ['1', '1 - 1'],
    ],
    reason: 'a full stop or a space at the end says nothing',
  },
  {
    file: `${GOVERNANCE}/govern-history.ts`,
    line: 'state === null',
    changes: [['state === null', 'false']],
    reason: 'only records with a state come here; the line is for the type only',
  },
  {
    file: `${GOVERNANCE}/govern-record.ts`,
    line: "case 'contested':",
    changes: [["'contested'", "''"]],
    reason: 'the default gives the hint itself, which is the same word',
  },
  {
    file: `${GOVERNANCE}/govern-signal.ts`,
    line: 'MAY_CLAIM',
    changes: [['!MAY_CLAIM.test(text)', 'false']],
    reason: 'a text without any of these words holds no cue either: the line only saves work',
  },
  {
    file: `${GOVERNANCE}/lifecycle.ts`,
    line: "isTransition('suppression', cause, from, 'suppressed')",
    changes: [["!isTransition('suppression', cause, from, 'suppressed')", 'false']],
    reason: 'every cause that suppresses may do so from every state',
  },
  {
    file: `${MEMORY}/confirm.ts`,
    line: 'content.evidenceRefs.length === 0',
    changes: [['0', '0 - 1']],
    reason: 'a run that names nothing confirms nothing: the line only saves work',
  },
  {
    file: `${MEMORY}/correct.ts`,
    line: '!hasCorrectionCue(text)',
    changes: [['!hasCorrectionCue(text)', 'false']],
    reason: 'a text without a cue corrects nothing: the line only saves work',
  },
  {
    file: `${MEMORY}/decision.ts`,
    line: 'if (event === null) return false',
    changes: [['false', 'true']],
    reason: 'a suppression is always possible; a refused move is told by other tests',
  },
  {
    file: `${MEMORY}/evolve.ts`,
    line: 'linkRecord(state, record, true)',
    changes: [['true', 'false']],
    reason: 'a new memory is in no list yet: the flag only saves looking',
  },
  {
    file: `${MEMORY}/evolve.ts`,
    line: 'new Uint32Array(',
    changes: [
      ['64', '64 + 1'],
      ['64', '64 - 1'],
      ['2', '2 + 1'],
      ['2', '2 - 1'],
    ],
    reason: 'how much room is made in advance is no promise',
  },
  {
    file: `${MEMORY}/state.ts`,
    line: 'isFirst || !list.includes(memoryId)',
    changes: [['isFirst || !list.includes(memoryId)', '(isFirst) && (!list.includes(memoryId))']],
    reason: 'a revision finds its id in the list, a new memory does not',
  },
  {
    file: `${MEMORY}/write-memory.ts`,
    line: "word === 'active'",
    changes: [
      ["word === 'active'", 'false'],
      ["'active'", "''"],
    ],
    reason: 'there is no move to active in the table of declared moves, and no transition from nothing',
  },
]
