import {
  CONTRADICTION_RULE,
  GOVERN_LAWS,
  GOVERN_RULES,
  STORED_MEMORY_RULE,
} from '../external/govern-rules.ts'
import { TRANSITIONS } from '../model/lifecycle.ts'
import { SURFACE_RULES } from '../policy/admission.ts'
import { IDENTITY_LAWS } from './identity-laws.ts'
import { REPORT_LAWS } from './report-laws.ts'
import type { Rule } from './rule.ts'
import { SCREENING_LAWS } from './screening-laws.ts'
import { SESSION_LAWS } from './session-laws.ts'

export type { Rule }

/**
 * The laws that no single table row holds. Each has a property test whose name begins with its id; docs/reference/rules.md
 * lists them all.
 */
export const LAWS: readonly Rule[] = [
  { id: 'V1', law: 'A shared memory without a team is visible to everyone in its actor.' },
  { id: 'V2', law: 'A shared memory of a team is visible to that team and to its owner agent only.' },
  { id: 'V3', law: 'A private memory is visible to its owner agent and its owner team only.' },
  {
    id: 'V4',
    law: 'An invisible memory leaves no trace in a guide: the answer is that of an actor without it.',
  },
  { id: 'V5', law: 'A relation acts only if everyone who sees the target also sees the source.' },
  { id: 'V6', law: 'Nothing crosses a tenant, a scope or a lane: no response holds a foreign id or text.' },
  {
    id: 'V7',
    law: 'A trace is not a key: a request whose consumer fields differ from those of the guide it names does not know that guide.',
  },
  {
    id: 'L1',
    law: 'Suppression is absolute: no hint, feedback, profile, mode or later observation lifts it.',
  },
  { id: 'L2', law: 'A suppression with an end is over by the clock alone.' },
  { id: 'L3', law: 'No transition of one facet changes another facet.' },
  { id: 'L4', law: 'No field that a caller sends raises a surface above what the rules give without it.' },
  { id: 'L5', law: 'The reported lifecycle state is the first that holds in the declared order.' },
  {
    id: 'L6',
    law: 'A revision keeps the earlier content as evidence; repeating the same content changes nothing.',
  },
  { id: 'O1', law: 'Document, external and unknown origins start as candidates; the others start trusted.' },
  { id: 'O2', law: 'A derived memory never has more trust than its least trusted source.' },
  {
    id: 'O3',
    law: 'A candidate becomes trusted when a trusted memory says the same independently: not derived from it, and not by an agent that a guide may have shown it.',
  },
  {
    id: 'O4',
    law: 'A candidate becomes trusted when a succeeded run with a passed verifier names it as evidence.',
  },
  { id: 'O5', law: 'Only a memory that everyone who sees the candidate also sees can confirm it.' },
  {
    id: 'H1',
    law: 'What an agent says exactly as a guide has shown it, and may use now, is not stored again: the shown memory stands for it. Anything else is said anew.',
  },
  {
    id: 'H2',
    law: 'What an agent says in the words of a shown line, or with other empty words, endings or slips of the hand, is stored as derived from it, and confirms nothing.',
  },
  {
    id: 'H3',
    law: 'Runs, handoffs, claims, events, evidence, memories with a client id, what a user, a verifier or a tool says, and what no guide has shown are never echoes.',
  },
  {
    id: 'H4',
    law: 'A stored text that equals a suppressed one, seen by everyone who sees it, is suppressed with it and comes back with it.',
  },
  {
    id: 'H5',
    law: 'An operator who says a suppressed text again gives a candidate with the reason suppressed_before.',
  },
  {
    id: 'H6',
    law: 'A stored text that equals a failed one has failed; contested, superseded and demoted do not carry, and nearness carries nothing.',
  },
  {
    id: 'H7',
    law: 'Of equal live texts of one audience a guide prints one: on the best surface, of these of the highest authority, of these the newest; the others are omitted into it.',
  },
  {
    id: 'C1',
    law: 'Supersedes and invalidates make their target superseded, unless the source has less authority.',
  },
  { id: 'C2', law: 'Contradicts makes both memories contested, but none of more authority than the other.' },
  {
    id: 'C3',
    law: 'Of the live claims in a singleton slot of one lane and owner only the latest stays live.',
  },
  { id: 'C4', law: 'The newest handoff of an anchor, else of a task signature, is the only live one.' },
  {
    id: 'C15',
    law: 'A later succeeded run with a passed verifier supersedes the open handoffs of its task, else of the anchor that names it, where everyone who sees the handoff sees the run.',
  },
  { id: 'C16', law: 'A guide never prints the next step of another task than the one asked for.' },
  {
    id: 'C5',
    law: 'Two general memories of which the texts cannot both hold dispute each other: one of them yields, and no facet of either changes.',
  },
  {
    id: 'C6',
    law: 'What was said earlier yields, unless what was said later has less authority; a statement may place itself earlier, never later.',
  },
  {
    id: 'C7',
    law: 'A dispute holds exactly while neither side is contested, failed, superseded, expired, suppressed or erased, whatever other disputes say of them.',
  },
  {
    id: 'C8',
    law: 'Nothing of less authority lowers a memory of more: by text, relation, supersedes or client id it yields itself, and the response warns where it claimed more.',
  },
  {
    id: 'C9',
    law: 'A dispute is found only where everyone who sees the one that yields sees the other, and no answer tells of a memory that its audience or consumer cannot see.',
  },
  {
    id: 'C10',
    law: 'One text disputes at most three different others; a text that would dispute more disputes none, and the response says so.',
  },
  {
    id: 'C11',
    law: 'Nothing disputes itself, its equal or its own revision, and a revision that says something else ends the disputes of its memory.',
  },
  { id: 'C12', law: 'The order of observes without a common subject changes no surface.' },
  {
    id: 'C13',
    law: 'In a guide what stands in a dispute is ranked before what yields to it, whatever their scores; of two usable texts of a subject without a dispute the newer is first when it is found about as well; what is said in talk has no subject.',
  },
  {
    id: 'C14',
    law: 'What an earlier build contested by words alone is judged anew once, by its evidence and by the disputes of today.',
  },
  {
    id: 'C17',
    law: 'What an operator settles is so until either memory says something else: the one that wins stands and the other is superseded, both stand, or both are suppressed; the same two texts are not disputed anew.',
  },
  {
    id: 'C18',
    law: 'A later verdict is the undo of the one before: what the first changed is as if only the last had been given, and the same verdict again changes nothing.',
  },
  { id: 'E1', law: 'Exposure is what was printed: id lists and ledger hold exactly the ids in prompt_text.' },
  { id: 'E2', law: 'The id lists of the four surfaces are disjoint.' },
  { id: 'E3', law: 'Feedback that names an id outside the exposure is refused whole and changes nothing.' },
  { id: 'E4', law: 'A guide that was answered accepts feedback, also after a restart.' },
  {
    id: 'E5',
    law: 'A handle names the memory of its line to every request that names its guide, also after an eviction and a restart; without that guide it names nothing.',
  },
  {
    id: 'F1',
    law: 'A positive is direct for a use_now exposure, or for an inspected one that the host asserts or a verifier passed.',
  },
  {
    id: 'F2',
    law: 'A negative with failure evidence is strong when it names one memory; one that names several is weak for each.',
  },
  { id: 'F3', law: 'One weak negative demotes an active memory that is not proven.' },
  {
    id: 'F4',
    law: 'Two weak negatives from different runs without a direct positive between, or one strong, contest a memory that is not proven.',
  },
  {
    id: 'F5',
    law: 'Two strong negatives from different runs without a verified positive between fail an execution memory.',
  },
  {
    id: 'F6',
    law: 'Evidence of one run about one memory is the strongest it sent, never the sum, in whatever order it came.',
  },
  { id: 'F7', law: 'A neutral outcome changes no standing.' },
  {
    id: 'F8',
    law: 'One direct positive newer than the negative makes a demoted memory active; so do five verified successes of its task in which it was shown and no negative named it.',
  },
  {
    id: 'F9',
    law: 'Two verified direct positives of different runs since the last negative make a contested memory active.',
  },
  { id: 'F10', law: 'A failed memory comes back only by a newer succeeded revision or an operator.' },
  {
    id: 'F11',
    law: 'Feedback never changes trust, suppression, validity or availability, and deletes nothing.',
  },
  {
    id: 'F12',
    law: 'A host assertion about an unexposed memory changes no counter, facet or surface.',
  },
  { id: 'F13', law: 'Adding negative evidence never raises a surface.' },
  {
    id: 'F14',
    law: 'Only forget with activate, a positive host assertion and a named actor activates as operator.',
  },
  {
    id: 'F15',
    law: 'Shared blame becomes strong for a memory when another run has a verified failure that names it and none of the others.',
  },
  {
    id: 'F16',
    law: 'Shared blame is taken from a memory by a later verified success that names it and none of the others; the standing is then what the rest gives.',
  },
  {
    id: 'F17',
    law: 'A memory whose last four verified uses hold three passes and no failure is proven: one strong negative within five verified uses does not contest it, one weak does not demote it, a second weak demotes it and a third contests it.',
  },
  { id: 'F18', law: 'What a full ledger of evidence forgets changes no standing.' },
  {
    id: 'F19',
    law: 'A standing that an operator, a declaration or another memory gave settles the evidence before it.',
  },
  {
    id: 'F20',
    law: 'A finish moves every facet as an observe of the run and feedback about its guide together do.',
  },
  {
    id: 'F21',
    law: 'A finish that names no memory of a surface that may be used is neutral, and says so of what it named.',
  },
  {
    id: 'G1',
    law: 'A weak match is shown for inspection at most; a small scope is shown whole; standing memory is always a candidate.',
  },
  {
    id: 'G2',
    law: 'The limit bounds all exposed ids; at most half are warnings unless there is nothing else.',
  },
  { id: 'G3', law: 'A smaller budget prints a prefix and prompt_text never exceeds the budget.' },
  { id: 'G4', law: 'Profiles and roles never change ids, surfaces or order.' },
  { id: 'G5', law: 'The same state and request give the same prompt_text, byte for byte.' },
  {
    id: 'G6',
    law: 'Whatever a memory says, the parsed sections of prompt_text hold exactly the exposed ids.',
  },
  {
    id: 'G7',
    law: "A do_not_use line never holds the blocked text, but for a caller's own title and the first sentence of a failed run's own summary.",
  },
  {
    id: 'P1',
    law: 'Lines of weak matches come last, have at most 120 characters and take at most a quarter of the budget.',
  },
  {
    id: 'P2',
    law: 'A line for use or inspection says its day, its origin unless that is an agent, and a confidence below 0.75.',
  },
  {
    id: 'P3',
    law: 'Of runs that are alike the two newest keep lines, the third stands for the rest, and the rest is named as folded into it.',
  },
  {
    id: 'P4',
    law: 'A superseded memory has no line where what replaced it is a candidate too; it is named with its successor.',
  },
  {
    id: 'P5',
    law: 'A warning that touches nothing that is asked or may be used, and is no strong match of the query, has no line and is named as not related.',
  },
  {
    id: 'P6',
    law: 'Standing memory that may be used now is a candidate of every guide: all that matches the query or its files, then six lines and 1200 characters at most, four beside three strong matches, by authority, direct positives and age; one that may not be used comes only by a match.',
  },
  {
    id: 'P7',
    law: 'A prompt with handles is that with ids, with m1, m2 and so on in the order of the lines in place of the ids; what the budget holds is the same or more.',
  },
  { id: 'P8', law: 'With handles nothing that a memory says reads as a handle in brackets.' },
  {
    id: 'A1',
    law: 'A guide records exactly what it exposed, in order, with rule, reason and signals of each, and what it left out.',
  },
  {
    id: 'A2',
    law: 'A hold-out shows warnings only and those alike, records what it kept back, and tells the agent nothing.',
  },
  { id: 'M1', law: 'Every score, part and delta of a measurement stays within its bounds.' },
  {
    id: 'M2',
    law: 'Swapping baseline and guided turns every delta round; positive one way is negative the other way.',
  },
  {
    id: 'M3',
    law: 'Negative one way is positive the other way where no kernel gained and the loss over all is seen.',
  },
  { id: 'M4', law: 'An observation is never better than itself.' },
  { id: 'M5', law: 'Unknown fields of an observation change nothing but the warnings.' },
  {
    id: 'M6',
    law: 'No claim of the caller makes evidence sufficient, gives a direction or a skill candidate.',
  },
  { id: 'M7', law: 'A manual pair is never sufficient, never ready for export and never a skill candidate.' },
  { id: 'M8', law: 'More of the same evidence never turns sufficient into insufficient.' },
  { id: 'M9', law: 'A forged id, surface or prompt always ends the verification of a guide.' },
  { id: 'M10', law: 'A recorded failure of the guided run is never reported as help.' },
  { id: 'M11', law: 'Evidence is sufficient exactly when no reason against it is named.' },
  { id: 'M12', law: 'Measuring, and listing skill candidates, changes no state.' },
  { id: 'M13', law: 'A worker measures exactly as the asking thread does.' },
  {
    id: 'M14',
    law: 'Over paired tasks help and harm are counted apart, swapping the arms turns every number round, and below the minimum nothing is claimed.',
  },
  {
    id: 'M15',
    law: 'A run counts as guided only by a guide that gave it memory for direct use, and as without memory only where no guide can have.',
  },
  {
    id: 'M16',
    law: 'Every text of a skill candidate is that of a recorded run which the records still support, and its steps are those of succeeded runs.',
  },
  {
    id: 'M17',
    law: 'A supplied skill is stored only where the records give the same, and then as they give it.',
  },
  {
    id: 'M18',
    law: 'Proposing and reviewing a skill changes no memory and no guide, and outlives replay and reload.',
  },
  {
    id: 'M19',
    law: 'What a consumer cannot see gives neither text nor id to what is measured or derived for it.',
  },
  {
    id: 'M20',
    law: 'A trace shows help only against a recorded failure without it, or by many paired tasks; derived numbers give no direction.',
  },
  {
    id: 'M21',
    law: 'The steps of a skill candidate stand in the order that most succeeded runs share: each place is taken by half of them or more and tells by how many, and no run takes two alternatives of one place.',
  },
  {
    id: 'M22',
    law: 'A skill candidate names what only failed runs did, and nothing that a succeeded run did as well.',
  },
  {
    id: 'M23',
    law: "A skill that an operator promotes is one procedure by an operator's word, derived from its runs; any other verdict suppresses it. The last verdict alone tells what is in force, and the same one again changes nothing.",
  },
  {
    id: 'X1',
    law: 'Nothing that an erased memory said is left in the state, its image, its lookups, or the redacted turns.',
  },
  {
    id: 'X2',
    law: 'No guide shows an erased memory; it is echoed by nothing, confirms nothing and disputes nothing.',
  },
  {
    id: 'X3',
    law: 'Erasing changes no id, facet, counter or exposure, and of other memories only sentences about what the erased one did.',
  },
  {
    id: 'X4',
    law: 'Replay of the redacted turns, and a reload, give the digest of the live state; redacting twice changes nothing.',
  },
  { id: 'X5', law: 'Erasing again writes nothing and names the same tombstones.' },
  { id: 'X6', law: 'What is derived from an erased memory is trusted as if that source were missing.' },
  { id: 'X7', law: 'With consumer fields only what that consumer sees is erased; the rest is missing.' },
  {
    id: 'X8',
    law: 'No answer stored before an erasure is kept, and its operation id is never carried out again.',
  },
  {
    id: 'X9',
    law: 'Of an erased guide nothing that it asked, showed or weighed is left in the state or in the turns that are kept, and every other turn is as it was.',
  },
  ...REPORT_LAWS,
  { id: 'D1', law: 'The same operation id and body give the stored answer and write nothing twice.' },
  ...IDENTITY_LAWS,
  { id: 'D2', law: 'State after replay, reload or compaction has the digest of the live state.' },
  { id: 'D3', law: 'A rejected request changes nothing.' },
  {
    id: 'D4',
    law: 'A guide and a run are finished once: the same body gets the stored answer, also after a restart, and another one is refused.',
  },
  ...SCREENING_LAWS,
  ...SESSION_LAWS,
]

/** Every rule of the runtime: surface rules, facet transitions and laws. */
export function allRules(): readonly Rule[] {
  const surfaces = SURFACE_RULES.map(({ id, law }) => ({ id, law }))
  const transitions = TRANSITIONS.map(({ id, facet, cause, from, to }) => ({
    id,
    law: `The ${facet} of a memory moves from ${from.join(' or ')} to ${to} by ${cause}, and by no row else.`,
  }))
  const govern = [...GOVERN_RULES, STORED_MEMORY_RULE, CONTRADICTION_RULE].map(({ id, law }) => ({ id, law }))
  return [...surfaces, ...transitions, ...govern, ...LAWS, ...GOVERN_LAWS]
}
