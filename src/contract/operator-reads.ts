import { ListActorsRequest, ListActorsResponse } from './operator-actors.ts'
import {
  CompareEffectRequest,
  CompareEffectResponse,
  CountRulesRequest,
  CountRulesResponse,
} from './operator-counts.ts'
import { ListExternalRequest, ListExternalResponse } from './operator-external.ts'
import { ListGuidesRequest, ListGuidesResponse } from './operator-guides.ts'
import {
  ListMemoriesRequest,
  ListMemoriesResponse,
  MEMORIES_RULES,
  SearchMemoriesRequest,
} from './operator-memories.ts'
import { ListReviewRequest, ListReviewResponse } from './operator-review.ts'

/** A read that shows every lane may be refused at the edge. */
const OPERATOR_READ_ERRORS = ['operator_key_required'] as const
const MEMORIES_SENTENCE =
  'The newest first, page by page: what was there throughout is on exactly one page, whatever is written meanwhile. A page may be short, or empty, before the end.'

/** The rows of what operators read page by page; `operations.ts` has them with all others. */
export const OPERATOR_READS = {
  listActors: {
    name: 'listActors',
    method: 'GET',
    path: '/v1/operator/actors',
    isOperatorRead: true,
    request: ListActorsRequest,
    response: ListActorsResponse,
    contract_version: 'svc_operator_actors_v1',
    writes: false,
    access: 'operator',
    summary: 'List the scopes of a tenant',
    description:
      'In the order of their names. None is loaded: of one that is not in memory only what the store says without reading it is told.',
    rules: [],
    errors: OPERATOR_READ_ERRORS,
  },
  listMemories: {
    name: 'listMemories',
    method: 'GET',
    path: '/v1/operator/memories',
    isOperatorRead: true,
    request: ListMemoriesRequest,
    response: ListMemoriesResponse,
    contract_version: 'svc_operator_memories_v1',
    writes: false,
    access: 'operator',
    summary: 'List what a scope remembers, with its text',
    description: `${MEMORIES_SENTENCE} With memory_id the one memory is told whole.`,
    rules: Object.values(MEMORIES_RULES),
    errors: [...OPERATOR_READ_ERRORS, 'memory_not_found'],
  },
  searchMemories: {
    name: 'searchMemories',
    method: 'POST',
    path: '/v1/operator/memories',
    isOperatorRead: true,
    request: SearchMemoriesRequest,
    response: ListMemoriesResponse,
    contract_version: 'svc_operator_memories_v1',
    writes: false,
    access: 'operator',
    summary: 'Look for text in what a scope remembers',
    description: `${MEMORIES_SENTENCE} The same as the list, with a filter for text.`,
    rules: [],
    errors: [...OPERATOR_READ_ERRORS, 'memory_not_found'],
  },
  listGuides: {
    name: 'listGuides',
    method: 'GET',
    path: '/v1/operator/guides',
    isOperatorRead: true,
    request: ListGuidesRequest,
    response: ListGuidesResponse,
    contract_version: 'svc_operator_guides_v1',
    writes: false,
    access: 'operator',
    summary: 'List the guides of a scope',
    description:
      'The newest first. With guide_trace_id the one guide is told whole, and its prompt is rendered again on the state of that moment and compared with the recorded hash.',
    rules: [],
    errors: [...OPERATOR_READ_ERRORS, 'guide_trace_not_found'],
  },
  listReview: {
    name: 'listReview',
    method: 'GET',
    path: '/v1/operator/review',
    isOperatorRead: true,
    request: ListReviewRequest,
    response: ListReviewResponse,
    contract_version: 'svc_operator_review_v1',
    writes: false,
    access: 'operator',
    summary: 'List what waits for a person',
    description:
      'Disputes in force with both texts, contested memory, memory that is not trusted yet or in which screening found something, and skill candidates.',
    rules: [],
    errors: OPERATOR_READ_ERRORS,
  },
  listExternal: {
    name: 'listExternal',
    method: 'GET',
    path: '/v1/operator/external',
    isOperatorRead: true,
    request: ListExternalRequest,
    response: ListExternalResponse,
    contract_version: 'svc_operator_external_v1',
    writes: false,
    access: 'operator',
    summary: 'List what is known of memory of other stores',
    description:
      'What govern recorded, and what runs said of it, lane by lane. In the order of backend and id; texts are not kept.',
    rules: [],
    errors: OPERATOR_READ_ERRORS,
  },
  countRules: {
    name: 'countRules',
    method: 'GET',
    path: '/v1/operator/rules',
    isOperatorRead: true,
    request: CountRulesRequest,
    response: CountRulesResponse,
    contract_version: 'svc_operator_rules_v1',
    writes: false,
    access: 'operator',
    summary: 'Count how often each surface rule decided',
    description:
      'By hour for the newest 168 hours, and in all. What a guide left out counts too; guides of before rules were counted do not.',
    rules: [],
    errors: OPERATOR_READ_ERRORS,
  },
  compareEffect: {
    name: 'compareEffect',
    method: 'GET',
    path: '/v1/operator/effect',
    isOperatorRead: true,
    request: CompareEffectRequest,
    response: CompareEffectResponse,
    contract_version: 'svc_operator_effect_v1',
    writes: false,
    access: 'operator',
    summary: 'Compare runs with memory and runs without, task by task',
    description:
      'From the records of finished runs: how many succeeded of each kind, with an interval, and the difference over pairs. It says what the records show and no more.',
    rules: [],
    errors: OPERATOR_READ_ERRORS,
  },
} as const
