import type { Rule } from './rule.ts'

/** The laws of traces, snapshots, blast radii and replays. */
export const REPORT_LAWS: readonly Rule[] = [
  { id: 'A10', law: 'A decision trace changes no state.' },
  {
    id: 'A11',
    law: 'A supplied artifact that moves, adds or removes an id, or tells of another prompt, guide, run or outcome than the record, is always flagged.',
  },
  { id: 'A12', law: 'What a guide and its feedback answered is never flagged.' },
  {
    id: 'A13',
    law: 'The trace of a guide that is held names exactly what it exposed, on the recorded surfaces and in order, whatever is supplied.',
  },
  { id: 'A14', law: 'A decision trace and a credit are the same before and after a reload.' },
  { id: 'A15', law: 'Credit goes only to memory that an outcome names, never to what was shown beside it.' },
  {
    id: 'A16',
    law: 'A credit adds up: its surfaces are what guides exposed, its outcomes what was attributed, and what is unknown is no more than what was shown.',
  },
  { id: 'A17', law: 'A trace shows its consumer no memory, title, guide or run that it may not know.' },
  { id: 'A18', law: 'A guide that is not held is replayed as supplied and says so.' },
  { id: 'A20', law: 'An operator snapshot and a blast radius change no state.' },
  {
    id: 'A21',
    law: 'An invisible memory leaves no trace in a snapshot or a blast radius that is asked for a consumer.',
  },
  { id: 'A22', law: 'Every group of counters in a snapshot adds up to the memories that are seen.' },
  { id: 'A23', law: 'A snapshot asked with GET is the snapshot asked with POST.' },
  {
    id: 'A24',
    law: 'Whatever memories, tasks and supplied objects say, a Markdown snapshot has our headings and lines only.',
  },
  {
    id: 'A25',
    law: 'A blast radius names exactly the guides that showed the memory or what was derived from it.',
  },
  {
    id: 'A26',
    law: 'What was derived is found through any number of steps, each memory once, also in a cycle.',
  },
  {
    id: 'A27',
    law: 'A dry run of a suppression lowers exactly the lines of the suppressed memory, and no other.',
  },
  { id: 'A28', law: 'No text of a memory controls the terminal that it is printed on.' },
  {
    id: 'A29',
    law: 'A supplied object never changes what a snapshot says of a guide that the actor holds.',
  },
  {
    id: 'A30',
    law: 'A replay gives ids, surfaces and order of a guide as they were, whatever has happened since.',
  },
  { id: 'A31', law: 'The flight recorder changes no state.' },
  {
    id: 'A32',
    law: 'An artifact that the record of its guide contradicts is always named, one that it does not never is.',
  },
  {
    id: 'A33',
    law: 'What a replay says of now is what a guide with the same request shows at this moment.',
  },
  {
    id: 'A34',
    law: 'The differences of a replay lead from the recorded lists to those of now, and each has a cause.',
  },
  {
    id: 'A35',
    law: 'A decision time means the last guide not after it, of the run and the consumer that are named.',
  },
  { id: 'A36', law: 'A replay is the same before and after a restart and an eviction.' },
  { id: 'A37', law: 'No replay holds text of a prompt, a query, a memory or a payload.' },
  { id: 'A38', law: 'A guide of another consumer is replayed as one that does not exist.' },
  {
    id: 'A39',
    law: 'What an actor does not hold is replayed as supplied, says so, and passes for no record.',
  },
  {
    id: 'A40',
    law: 'After an erasure every report of an earlier guide gives the same ids, surfaces and order, names what was erased, and holds no word of it.',
  },
  {
    id: 'A41',
    law: 'A replay names the claims that its consumer sees and that were there by then, by ids and codes, and no other.',
  },
]
