import {
  CONTRADICTION_RULE,
  GOVERN_LAWS,
  GOVERN_RULES,
  STORED_MEMORY_RULE,
} from '../external/govern-rules.ts'
import { TRANSITIONS } from '../model/lifecycle.ts'
import { SURFACE_RULES } from '../policy/admission.ts'

export interface Rule {
  readonly id: string
  readonly law: string
}

/**
 * The laws that no single table row holds, by id. Each has a property test whose name begins with its id;
 * docs/reference/rules.md lists them all.
 */
const LAW_OF: Readonly<Record<string, string>> = {
  // Visibility
  V1: 'A shared memory without a team is visible to everyone in its actor.',
  V2: 'A shared memory of a team is visible to that team and to its owner agent only.',
  V3: 'A private memory is visible to its owner agent and its owner team only.',
  V4: 'An invisible memory leaves no trace in a guide: the answer is that of an actor without it.',
  V5: 'A relation acts only if everyone who sees the target also sees the source.',
  V6: 'Nothing crosses a tenant, a scope or a lane: no response holds a foreign id or text.',
  V7: 'A trace is not a key: a request whose consumer fields differ from those of the guide it names does not know that guide.',
  // Lifecycle
  L1: 'Suppression is absolute: no hint, feedback, profile, mode or later observation lifts it.',
  L2: 'A suppression with an end is over by the clock alone.',
  L3: 'No transition of one facet changes another facet.',
  L4: 'No field that a caller sends raises a surface above what the rules give without it.',
  L5: 'The reported lifecycle state is the first that holds in the declared order.',
  L6: 'A revision keeps the earlier content as evidence; repeating the same content changes nothing.',
  // Origin and trust
  O1: 'Document, external and unknown origins start as candidates; the others start trusted.',
  O2: 'A derived memory never has more trust than its least trusted source.',
  O3: 'A candidate becomes trusted when a trusted memory says the same independently: not derived from it, and not by an agent that a guide may have shown it.',
  O4: 'A candidate becomes trusted when a succeeded run with a passed verifier names it as evidence.',
  O5: 'Only a memory that everyone who sees the candidate also sees can confirm it.',
  // Echoes
  H1: 'What an agent says exactly as a guide has shown it, and may use now, is not stored again: the shown memory stands for it. Anything else is said anew.',
  H2: 'What an agent says in the words of a shown line, or with other empty words, endings or slips of the hand, is stored as derived from it, and confirms nothing.',
  H3: 'Runs, handoffs, claims, events, evidence, memories with a client id, what a user, a verifier or a tool says, and what no guide has shown are never echoes.',
  H4: 'A stored text that equals a suppressed one, seen by everyone who sees it, is suppressed with it and comes back with it.',
  H5: 'An operator who says a suppressed text again gives a candidate with the reason suppressed_before.',
  H6: 'A stored text that equals a failed one has failed; contested, superseded and demoted do not carry, and nearness carries nothing.',
  H7: 'Of equal live texts of one audience a guide prints one: on the best surface, of these of the highest authority, of these the newest; the others are omitted into it.',
  // Conflict
  C1: 'Supersedes and invalidates make their target superseded, unless the source has less authority.',
  C2: 'Contradicts makes both memories contested, but none of more authority than the other.',
  C3: 'Of the live claims in a singleton slot of one lane and owner only the latest stays live.',
  C4: 'The newest handoff of an anchor, else of a task signature, is the only live one.',
  C15: 'A later succeeded run with a passed verifier supersedes the open handoffs of its task, else of the anchor that names it, where everyone who sees the handoff sees the run.',
  C16: 'A guide never prints the next step of another task than the one asked for.',
  C5: 'Two general memories of which the texts cannot both hold dispute each other: one of them yields, and no facet of either changes.',
  C6: 'What was said earlier yields, unless what was said later has less authority; a statement may place itself earlier, never later.',
  C7: 'A dispute holds exactly while neither side is contested, failed, superseded, expired, suppressed or erased, whatever other disputes say of them.',
  C8: 'Nothing of less authority lowers a memory of more: by text, relation, supersedes or client id it yields itself, and the response warns where it claimed more.',
  C9: 'A dispute is found only where everyone who sees the one that yields sees the other, and no answer tells of a memory that its audience or consumer cannot see.',
  C10: 'One text disputes at most three different others; a text that would dispute more disputes none, and the response says so.',
  C11: 'Nothing disputes itself, its equal or its own revision, and a revision that says something else ends the disputes of its memory.',
  C12: 'The order of observes without a common subject changes no surface.',
  C13: 'In a guide what stands in a dispute is ranked before what yields to it, whatever their scores; of two usable texts of a subject without a dispute the newer is first when it is found about as well; what is said in talk has no subject.',
  C14: 'What an earlier build contested by words alone is judged anew once, by its evidence and by the disputes of today.',
  C17: 'What an operator settles is so until either memory says something else: the one that wins stands and the other is superseded, both stand, or both are suppressed; the same two texts are not disputed anew.',
  C18: 'A later verdict is the undo of the one before: what the first changed is as if only the last had been given, and the same verdict again changes nothing.',
  // Exposure
  E1: 'Exposure is what was printed: id lists and ledger hold exactly the ids in prompt_text.',
  E2: 'The id lists of the four surfaces are disjoint.',
  E3: 'Feedback that names an id outside the exposure is refused whole and changes nothing.',
  E4: 'A guide that was answered accepts feedback, also after a restart.',
  E5: 'A handle names the memory of its line to every request that names its guide, also after an eviction and a restart; without that guide it names nothing.',
  // Feedback
  F1: 'A positive is direct for a use_now exposure, or for an inspected one that the host asserts or a verifier passed.',
  F2: 'A negative with failure evidence is strong when it names one memory; one that names several is weak for each.',
  F3: 'One weak negative demotes an active memory that is not proven.',
  F4: 'Two weak negatives from different runs without a direct positive between, or one strong, contest a memory that is not proven.',
  F5: 'Two strong negatives from different runs without a verified positive between fail an execution memory.',
  F6: 'Evidence of one run about one memory is the strongest it sent, never the sum, in whatever order it came.',
  F7: 'A neutral outcome changes no standing.',
  F8: 'One direct positive newer than the negative makes a demoted memory active; so do five verified successes of its task in which it was shown and no negative named it.',
  F9: 'Two verified direct positives of different runs since the last negative make a contested memory active.',
  F10: 'A failed memory comes back only by a newer succeeded revision or an operator.',
  F11: 'Feedback never changes trust, suppression, validity or availability, and deletes nothing.',
  F12: 'A host assertion about an unexposed memory changes no counter, facet or surface.',
  F13: 'Adding negative evidence never raises a surface.',
  F14: 'Only forget with activate, a positive host assertion and a named actor activates as operator.',
  F15: 'Shared blame becomes strong for a memory when another run has a verified failure that names it and none of the others.',
  F16: 'Shared blame is taken from a memory by a later verified success that names it and none of the others; the standing is then what the rest gives.',
  F17: 'A memory whose last four verified uses hold three passes and no failure is proven: one strong negative within five verified uses does not contest it, one weak does not demote it, a second weak demotes it and a third contests it.',
  F18: 'What a full ledger of evidence forgets changes no standing.',
  F19: 'A standing that an operator, a declaration or another memory gave settles the evidence before it.',
  F20: 'A finish moves every facet as an observe of the run and feedback about its guide together do.',
  F21: 'A finish that names no memory of a surface that may be used is neutral, and says so of what it named.',
  // Guide
  G1: 'A weak match is shown for inspection at most; a small scope is shown whole; standing memory is always a candidate.',
  G2: 'The limit bounds all exposed ids; at most half are warnings unless there is nothing else.',
  G3: 'A smaller budget prints a prefix and prompt_text never exceeds the budget.',
  G4: 'Profiles and roles never change ids, surfaces or order.',
  G5: 'The same state and request give the same prompt_text, byte for byte.',
  G6: 'Whatever a memory says, the parsed sections of prompt_text hold exactly the exposed ids.',
  G7: "A do_not_use line never holds the blocked text, but for a caller's own title and the first sentence of a failed run's own summary.",
  // Prompt
  P1: 'Lines of weak matches come last, have at most 120 characters and take at most a quarter of the budget.',
  P2: 'A line for use or inspection says its day, its origin unless that is an agent, and a confidence below 0.75.',
  P3: 'Of runs that are alike the two newest keep lines, the third stands for the rest, and the rest is named as folded into it.',
  P4: 'A superseded memory has no line where what replaced it is a candidate too; it is named with its successor.',
  P5: 'A warning that touches nothing that is asked or may be used, and is no strong match of the query, has no line and is named as not related.',
  P6: 'Standing memory that may be used now is a candidate of every guide: all that matches the query or its files, then six lines and 1200 characters at most, four beside three strong matches, by authority, direct positives and age; one that may not be used comes only by a match.',
  P7: 'A prompt with handles is that with ids, with m1, m2 and so on in the order of the lines in place of the ids; what the budget holds is the same or more.',
  P8: 'With handles nothing that a memory says reads as a handle in brackets.',
  P9: 'A guide that names a run leaves out exactly the lines that the run printed for its consumer and that are the same, and names them; with restart it prints them again.',
  P10: 'Handles number on through the guides of a run and consumer that leave out what was shown; any guide of the run takes them, and evidence counts for the guide that printed the line.',
  P11: 'In brief lines only what may be used now says anything of memory but its type and date.',
  // Workspace
  W1: 'What is said of files never raises a surface and changes no facet.',
  W2: 'A file counts only for memory that names it, was written before and in another run, and that its reporter sees and has no less authority than.',
  W3: 'What was said of files for others gives the answers of an actor in which it was not said.',
  // Audit
  A1: 'A guide records exactly what it exposed, in order, with rule, reason and signals of each, and what it left out.',
  A2: 'A hold-out shows warnings only and those alike, records what it kept back, and tells the agent nothing.',
  A10: 'A decision trace changes no state.',
  A11: 'A supplied artifact that moves, adds or removes an id, or tells of another prompt, guide, run or outcome than the record, is always flagged.',
  A12: 'What a guide and its feedback answered is never flagged.',
  A13: 'The trace of a guide that is held names exactly what it exposed, on the recorded surfaces and in order, whatever is supplied.',
  A14: 'A decision trace and a credit are the same before and after a reload.',
  A15: 'Credit goes only to memory that an outcome names, never to what was shown beside it.',
  A16: 'A credit adds up: its surfaces are what guides exposed, its outcomes what was attributed, and what is unknown is no more than what was shown.',
  A17: 'A trace shows its consumer no memory, title, guide or run that it may not know.',
  A18: 'A guide that is not held is replayed as supplied and says so.',
  A20: 'An operator snapshot and a blast radius change no state.',
  A21: 'An invisible memory leaves no trace in a snapshot or a blast radius that is asked for a consumer.',
  A22: 'Every group of counters in a snapshot adds up to the memories that are seen.',
  A23: 'A snapshot asked with GET is the snapshot asked with POST.',
  A24: 'Whatever memories, tasks and supplied objects say, a Markdown snapshot has our headings and lines only.',
  A25: 'A blast radius names exactly the guides that showed the memory or what was derived from it.',
  A26: 'What was derived is found through any number of steps, each memory once, also in a cycle.',
  A27: 'A dry run of a suppression lowers exactly the lines of the suppressed memory, and no other.',
  A28: 'No text of a memory controls the terminal that it is printed on.',
  A29: 'A supplied object never changes what a snapshot says of a guide that the actor holds.',
  A30: 'A replay gives ids, surfaces and order of a guide as they were, whatever has happened since.',
  A31: 'The flight recorder changes no state.',
  A32: 'An artifact that the record of its guide contradicts is always named, one that it does not never is.',
  A33: 'What a replay says of now is what a guide with the same request shows at this moment.',
  A34: 'The differences of a replay lead from the recorded lists to those of now, and each has a cause.',
  A35: 'A decision time means the last guide not after it, of the run and the consumer that are named.',
  A36: 'A replay is the same before and after a restart and an eviction.',
  A37: 'No replay holds text of a prompt, a query, a memory or a payload.',
  A38: 'A guide of another consumer is replayed as one that does not exist.',
  A39: 'What an actor does not hold is replayed as supplied, says so, and passes for no record.',
  A40: 'After an erasure every report of an earlier guide gives the same ids, surfaces and order, names what was erased, and holds no word of it.',
  A41: 'A replay names the claims that its consumer sees and that were there by then, by ids and codes, and no other.',
  // Measure
  M1: 'Every score, part and delta of a measurement stays within its bounds.',
  M2: 'Swapping baseline and guided turns every delta round; positive one way is negative the other way.',
  M3: 'Negative one way is positive the other way where no kernel gained and the loss over all is seen.',
  M4: 'An observation is never better than itself.',
  M5: 'Unknown fields of an observation change nothing but the warnings.',
  M6: 'No claim of the caller makes evidence sufficient, gives a direction or a skill candidate.',
  M7: 'A manual pair is never sufficient, never ready for export and never a skill candidate.',
  M8: 'More of the same evidence never turns sufficient into insufficient.',
  M9: 'A forged id, surface or prompt always ends the verification of a guide.',
  M10: 'A recorded failure of the guided run is never reported as help.',
  M11: 'Evidence is sufficient exactly when no reason against it is named.',
  M12: 'Measuring, and listing skill candidates, changes no state.',
  M13: 'A worker measures exactly as the asking thread does.',
  M14: 'Over paired tasks help and harm are counted apart, swapping the arms turns every number round, and below the minimum nothing is claimed.',
  M15: 'A run counts as guided only by a guide that gave it memory for direct use, and as without memory only where no guide can have.',
  M16: 'Every text of a skill candidate is that of a recorded run which the records still support, and its steps are those of succeeded runs.',
  M17: 'A supplied skill is stored only where the records give the same, and then as they give it.',
  M18: 'Proposing and reviewing a skill changes no memory and no guide, and outlives replay and reload.',
  M19: 'What a consumer cannot see gives neither text nor id to what is measured or derived for it.',
  M20: 'A trace shows help only against a recorded failure without it, or by many paired tasks; derived numbers give no direction.',
  M21: 'The steps of a skill candidate stand in the order that most succeeded runs share: each place is taken by half of them or more and tells by how many, and no run takes two alternatives of one place.',
  M22: 'A skill candidate names what only failed runs did, and nothing that a succeeded run did as well.',
  M23: "A skill that an operator promotes is one procedure by an operator's word, derived from its runs; any other verdict suppresses it. The last verdict alone tells what is in force, and the same one again changes nothing.",
  // Erasure
  X1: 'Nothing that an erased memory said is left in the state, its image, its lookups, or the redacted turns.',
  X2: 'No guide shows an erased memory; it is echoed by nothing, confirms nothing and disputes nothing.',
  X3: 'Erasing changes no id, facet, counter or exposure, and of other memories only sentences about what the erased one did.',
  X4: 'Replay of the redacted turns, and a reload, give the digest of the live state; redacting twice changes nothing.',
  X5: 'Erasing again writes nothing and names the same tombstones.',
  X6: 'What is derived from an erased memory is trusted as if that source were missing.',
  X7: 'With consumer fields only what that consumer sees is erased; the rest is missing.',
  X8: 'No answer stored before an erasure is kept, and its operation id is never carried out again.',
  X9: 'Of an erased guide nothing that it asked, showed or weighed is left in the state or in the turns that are kept, and every other turn is as it was.',
  // Identity by key
  I1: 'With a key a request means the tenant of that key and a scope that it may enter, or it is refused.',
  I2: 'With the key of an agent a request means that agent and its team, as consumer, producer and owner, or it is refused.',
  I3: 'A key writes only words of the origins that it may bring.',
  I4: 'An operation for operators, or on a whole actor, is refused to a key that is not an operator’s; a key that may only read writes nothing but what guides have shown.',
  I5: 'A key that is not an operator’s suppresses nothing that stands above its origins, and restores only what it has suppressed itself.',
  I6: 'What the key of an operator writes is an operator’s word: it yields to no other.',
  // Durability of decisions
  D1: 'The same operation id and body give the stored answer and write nothing twice.',
  D2: 'State after replay, reload or compaction has the digest of the live state.',
  D3: 'A rejected request changes nothing.',
  D4: 'A guide and a run are finished once: the same body gets the stored answer, also after a restart, and another one is refused.',
  // Content screening
  SC1: 'Every span of a finding lies inside the text.',
  SC2: 'The same text and context give the same findings, in order of place.',
  SC3: 'Harmless sentences before a text never remove a finding.',
  SC4: 'A zero-width character put anywhere into a harmless text is found.',
  SC5: 'An instruction override is found in any case, spacing and with look-alike characters.',
  SC6: 'Text of runs is lowered only by an override, by hidden characters and by forged structure.',
  SC7: 'Execution text has exactly the applicable findings of the same text elsewhere.',
  SC8: 'What is found in a text is found in its base64.',
  SC9: 'The sentence of a finding holds no word of the text.',
  SC10: 'A finding late in a long text is found as one at its start.',
  SC11: 'An order that a text about attacks, tests or filters, or a log line, only quotes is no finding, unless the text does anything more.',
  SC12: 'No prompt, packet or claim row holds the value of a secret; of what rehydrate answers only the full mode does.',
  SC13: 'A memory without a kind whose text is lines of a log is an event.',
  SC14: 'A rule, preference, procedure or project context of the user may tell the assistant how to act and answer.',
}

export const LAWS: readonly Rule[] = rulesOf(LAW_OF)

export function rulesOf(laws: Readonly<Record<string, string>>): readonly Rule[] {
  return Object.entries(laws).map(([id, law]) => ({ id, law }))
}

/** Every rule of the runtime: surface rules, facet transitions and laws. */
export function allRules(): readonly Rule[] {
  const surfaces = SURFACE_RULES.map(({ id, law }) => ({ id, law }))
  const transitions = TRANSITIONS.map(({ id, facet, cause, from, to }) => ({
    id,
    law: `The ${facet} of a memory moves from ${from.join(' or ')} to ${to} by ${cause}, and by no row else.`,
  }))
  const govern = [...GOVERN_RULES, STORED_MEMORY_RULE, CONTRADICTION_RULE].map(({ id, law }) => ({ id, law }))
  return [...surfaces, ...transitions, ...govern, ...LAWS, ...rulesOf(GOVERN_LAWS)]
}
