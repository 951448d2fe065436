import { z } from 'zod'
import { SKILL_VERDICTS, type SkillVerdict } from '../core/skills/settle.ts'
import { VERDICTS, type Verdict } from '../core/write/settle.ts'
import { BLAST_RULE, BlastRadiusRequest, BlastRadiusResponse } from './blast-radius.ts'
import {
  DecisionReportRequest,
  DecisionReportResponse,
  DecisionTraceRequest,
  DecisionTraceResponse,
  TRACE_RULE,
} from './decision-trace.ts'
import { filled, id, isSent, optional, request } from './fields.ts'
import { FlightRecorderRequest, FlightRecorderResponse, RECORDER_RULES } from './flight-recorder.ts'
import { triedFields } from './forget.ts'
import {
  CompareEffectRequest,
  CompareEffectResponse,
  CountRulesRequest,
  CountRulesResponse,
  FollowEventsRequest,
  OperatorEvent,
  STREAM_RULES,
} from './operator-events.ts'
import { ListGuidesRequest, ListGuidesResponse } from './operator-guides.ts'
import {
  ListActorsRequest,
  ListActorsResponse,
  ListExternalRequest,
  ListExternalResponse,
  ListMemoriesRequest,
  ListMemoriesResponse,
  ListReviewRequest,
  ListReviewResponse,
  MEMORIES_RULES,
  SearchMemoriesRequest,
} from './operator-lists.ts'
import { OperatorSnapshotRequest, OperatorSnapshotResponse } from './operator-snapshot.ts'
import {
  ListSkillsRequest,
  ListSkillsResponse,
  PromoteSkillResponse,
  ProposeSkillsRequest,
  ProposeSkillsResponse,
  RejectSkillResponse,
  ReviewSkillRequest,
  SKILL_RULES,
  SkillCandidateItem,
} from './skills.ts'
import { described, strings, writtenEnvelope } from './vocabulary.ts'

export const SETTLE_RULES = {
  what: 'Send memory_ids of a dispute, or skill_id of a skill candidate.',
  verdict: 'Send a, b, both, neither or reopen for memory_ids, and promote, reject or reopen for skill_id.',
  pair: 'The two memories dispute each other, or did when they were settled before.',
  eyes: 'A key does not approve what it wrote itself, and promotes nothing that is derived from that: another operator does.',
  anew: 'A later verdict takes back what the one before did, and reopen only that: it is the undo. The same one again changes nothing.',
} as const

export function isSkillVerdict(verdict: string): verdict is SkillVerdict {
  return SKILL_VERDICTS.some((each) => each === verdict)
}

export function isDisputeVerdict(verdict: string): verdict is Verdict {
  return VERDICTS.some((each) => each === verdict)
}

/** `reopen` is one of both. */
const ANY_VERDICT = z.enum(['a', 'b', 'both', 'neither', ...SKILL_VERDICTS])

export const SettleRequest = request(
  'Which side of a dispute stands, or what becomes of a skill candidate.',
  {
    memory_ids: optional(
      z.tuple([id, id], { error: 'Send the ids of two memories that dispute each other, as [a, b].' }),
      'The two memories of a dispute, a and b.',
    ),
    skill_id: optional(id, 'A skill candidate, in place of memory_ids.'),
    verdict: ANY_VERDICT.describe(
      'a or b: that one stands, the other is superseded. both: they do not contradict each other, for good. neither: both are suppressed. Of a skill: promote writes it as a procedure, reject hides it until runs change its steps. reopen takes back what was decided.',
    ),
    reason: filled.describe('Audit reason.'),
    dry_run: optional(z.boolean(), 'Tell what it would do, and change nothing. Default false.'),
  },
)
  .refine((body) => isSent(body.memory_ids) !== isSent(body.skill_id), {
    path: ['memory_ids'],
    error: SETTLE_RULES.what,
  })
  .refine(({ verdict, skill_id: skill }) => (isSent(skill) ? isSkillVerdict : isDisputeVerdict)(verdict), {
    path: ['verdict'],
    error: SETTLE_RULES.verdict,
  })

export const SettleResponse = described('What was decided, and what it changed.', {
  ...writtenEnvelope('svc_settle_result_v1'),
  memory_ids: strings.optional().describe('a and b.'),
  skill: SkillCandidateItem.optional(),
  verdict: ANY_VERDICT,
  previous_verdict: ANY_VERDICT.nullable().describe('What it replaces; null: nothing.'),
  changed_memory_ids: strings.describe('Memories whose state changed.'),
  ...triedFields,
})

/** A page of what a scope holds, with its texts. */
const READ = {
  method: 'GET',
  isOperatorRead: true,
  writes: false,
  access: 'operator',
} as const
/** Changes what is kept. */
export const WRITING = { method: 'POST', writes: true } as const
/** Tells why a memory was shown, and what came of it. It changes nothing. */
const REPORT = { method: 'POST', writes: false, access: 'consumer' } as const

const MEMORIES_SENTENCE =
  'The newest first, page by page: what was there throughout is on exactly one page, whatever is written meanwhile. A page may be short, or empty, before the end.'

/** The rows of what operators ask and decide; `operations.ts` has them with all others. */
export const OPERATOR_OPERATIONS = {
  proposeSkills: {
    ...WRITING,
    path: '/v1/skills/candidates',
    request: ProposeSkillsRequest,
    response: ProposeSkillsResponse,
    access: 'consumer',
    summary: 'Store skill candidates that the records give, for review',
    description:
      'A candidate is no memory: no guide shows it, and a review only marks it. To let agents use it, settle it with promote.',
    rules: Object.values(SKILL_RULES),
  },
  listSkills: {
    method: 'GET',
    path: '/v1/skills/candidates',
    request: ListSkillsRequest,
    response: ListSkillsResponse,
    writes: false,
    access: 'consumer',
    summary: 'List skill candidates',
    description:
      'Without consumer fields every candidate is listed; text that rests on memory which is not shared is withheld.',
  },
  promoteSkill: {
    ...WRITING,
    path: '/v1/skills/candidates/:candidate_id/promote',
    request: ReviewSkillRequest,
    response: PromoteSkillResponse,
    access: 'operator',
    summary: 'Mark a skill candidate as promoted',
    description:
      'The records must still give it. It is marked and nothing else: no memory and no guide changes.',
    errors: ['skill_candidate_not_found', 'skill_candidate_already_reviewed', 'skill_candidate_outdated'],
  },
  rejectSkill: {
    ...WRITING,
    path: '/v1/skills/candidates/:candidate_id/reject',
    request: ReviewSkillRequest,
    response: RejectSkillResponse,
    access: 'operator',
    summary: 'Mark a skill candidate as rejected',
    description: 'It is kept, so that the same procedure is not proposed again.',
    errors: ['skill_candidate_not_found', 'skill_candidate_already_reviewed'],
  },
  operatorSnapshot: {
    method: 'POST',
    alsoGet: true,
    path: '/v1/operator/snapshot',
    request: OperatorSnapshotRequest,
    response: OperatorSnapshotResponse,
    writes: false,
    access: 'consumer',
    summary: 'Show an operator the state of an actor, of a run or of a guide',
    description:
      'Reads and changes nothing. What the actor holds is the truth: supplied objects are compared with it, and shown as supplied where it holds nothing. Without consumer fields the whole actor is shown, with them only what that consumer sees.',
    errors: ['guide_trace_not_found'],
  },
  listActors: {
    ...READ,
    path: '/v1/operator/actors',
    request: ListActorsRequest,
    response: ListActorsResponse,
    summary: 'List the scopes of a tenant',
    description:
      'In the order of their names. None is loaded: of one that is not in memory only what the store says without reading it is told.',
  },
  listMemories: {
    ...READ,
    path: '/v1/operator/memories',
    request: ListMemoriesRequest,
    response: ListMemoriesResponse,
    summary: 'List what a scope remembers, with its text',
    description: `${MEMORIES_SENTENCE} With memory_id the one memory is told whole.`,
    rules: Object.values(MEMORIES_RULES),
    errors: ['memory_not_found'],
  },
  searchMemories: {
    ...READ,
    method: 'POST',
    path: '/v1/operator/memories',
    request: SearchMemoriesRequest,
    response: ListMemoriesResponse,
    summary: 'Look for text in what a scope remembers',
    description: `${MEMORIES_SENTENCE} The same as the list, with a filter for text.`,
    errors: ['memory_not_found'],
  },
  listGuides: {
    ...READ,
    path: '/v1/operator/guides',
    request: ListGuidesRequest,
    response: ListGuidesResponse,
    summary: 'List the guides of a scope',
    description:
      'The newest first. With guide_trace_id the one guide is told whole, and its prompt is rendered again on the state of that moment and compared with the recorded hash.',
    errors: ['guide_trace_not_found'],
  },
  listReview: {
    ...READ,
    path: '/v1/operator/review',
    request: ListReviewRequest,
    response: ListReviewResponse,
    summary: 'List what waits for a person',
    description:
      'Disputes in force with both texts, contested memory, memory that is not trusted yet or in which screening found something, and skill candidates.',
  },
  listExternal: {
    ...READ,
    path: '/v1/operator/external',
    request: ListExternalRequest,
    response: ListExternalResponse,
    summary: 'List what is known of memory of other stores',
    description:
      'What govern recorded, and what runs said of it, lane by lane. In the order of backend and id; texts are not kept.',
  },
  countRules: {
    ...READ,
    path: '/v1/operator/rules',
    request: CountRulesRequest,
    response: CountRulesResponse,
    summary: 'Count how often each surface rule decided',
    description:
      'By hour for the newest 168 hours, and in all. What a guide left out counts too; guides of before rules were counted do not.',
  },
  compareEffect: {
    ...READ,
    path: '/v1/operator/effect',
    request: CompareEffectRequest,
    response: CompareEffectResponse,
    summary: 'Compare runs with memory and runs without, task by task',
    description:
      'From the records of finished runs: how many succeeded of each kind, with an interval, and the difference over pairs. It says what the records show and no more.',
  },
  followEvents: {
    ...READ,
    path: '/v1/operator/events',
    isStream: true,
    request: FollowEventsRequest,
    response: OperatorEvent,
    summary: 'Follow what happens in a scope',
    description:
      'A stream of server-sent events (text/event-stream): each is told once it is durable, with ids and rule ids and no text. It ends when its key or session does, and when the service closes.',
    rules: Object.values(STREAM_RULES),
  },
  settle: {
    ...WRITING,
    path: '/v1/operator/settle',
    request: SettleRequest,
    response: SettleResponse,
    access: 'operator',
    summary: 'Decide a dispute of two memories, or about a skill candidate',
    description:
      "For operators. A dispute stays decided until either memory says something else. A promoted skill is written as a procedure by an operator's word, derived from its runs; another verdict suppresses it.",
    rules: Object.values(SETTLE_RULES),
    errors: ['memory_not_found', 'skill_candidate_not_found', 'skill_candidate_outdated'],
  },
  blastRadius: {
    ...REPORT,
    path: '/v1/audit/blast-radius',
    request: BlastRadiusRequest,
    response: BlastRadiusResponse,
    summary: 'Trace what a memory, or everything from one source, has touched',
    description:
      'Who wrote it, what was derived from it, which guides showed it to whom, how those runs ended, and what suppressing it would have changed in the recorded guides. Reads and changes nothing; guides are not run again.',
    rules: [BLAST_RULE],
    errors: ['memory_not_found'],
  },
  decisionTrace: {
    ...REPORT,
    path: '/v1/debug/memory-decision-trace',
    request: DecisionTraceRequest,
    response: DecisionTraceResponse,
    summary: 'Tell why a guide showed what it showed, and what came of it',
    description:
      'For operators. A guide that is held here is told from its record; supplied artifacts are compared with it, and differences are listed in artifact_mismatch. What is not held is replayed as supplied and says so. Acts with the consumer of the guide.',
    rules: [TRACE_RULE],
    errors: ['guide_trace_not_found', 'replay_artifact_required'],
  },
  decisionReport: {
    ...REPORT,
    path: '/v1/audit/memory-decision-report',
    request: DecisionReportRequest,
    response: DecisionReportResponse,
    summary: 'Report on the decisions of a guide',
    description: 'For operators. The decision trace of the same request, as claims, counters and reviews.',
    rules: [TRACE_RULE],
    errors: ['guide_trace_not_found', 'replay_artifact_required'],
  },
  flightRecorder: {
    ...REPORT,
    path: '/v1/audit/flight-recorder',
    request: FlightRecorderRequest,
    response: FlightRecorderResponse,
    summary: 'Replay what an agent was shown, and what came of it',
    description:
      'Where this actor holds the guide, its record is replayed and supplied artifacts are compared with it; else they are replayed as supplied. With replay_source journal it replays what was true at a moment and compares it with now. Changes nothing.',
    rules: [RECORDER_RULES.artifact, RECORDER_RULES.moment],
    errors: ['replay_artifact_required', 'guide_trace_not_found'],
  },
} as const
