/** What one refusal means: where it goes on the wire, whether repeating helps, and what to do about it. */
export interface ErrorSpec {
  /** HTTP status. */
  readonly status: number
  /** True when the same request may succeed later without being changed. */
  readonly retryable: boolean
  /** Seconds after which a repeat makes sense; null where repeating the same request does not help. */
  readonly retryAfterS: number | null
  /** When it is raised. */
  readonly meaning: string
  /** What the caller reads when the place that raised it says nothing more exact. */
  readonly message: string
}

/** A refusal that the same request always meets. */
function final(status: number, meaning: string, message: string): ErrorSpec {
  return { status, retryable: false, retryAfterS: null, meaning, message }
}

/** A refusal that passes. */
function passing(status: number, retryAfterS: number, meaning: string, message: string): ErrorSpec {
  return { status, retryable: true, retryAfterS, meaning, message }
}

/**
 * Every refusal that a caller can meet: its status, when it is raised, and what the caller reads. A code is public: renaming
 * one is a breaking change.
 */
export const ERRORS = {
  invalid_request: final(
    400,
    'A field is missing, malformed or out of bounds. `details.issues` lists each path and sentence.',
    'The request is not valid: see details.issues for what to send instead.',
  ),
  invalid_json: final(
    400,
    'The body is not JSON.',
    'The body is not valid JSON: send one JSON object, encoded in UTF-8.',
  ),
  observe_requires_memory_or_handoff: final(
    400,
    'Observe has nothing to write.',
    'There is nothing to write: send input_text, memory with text, title or summary, execution with title, summary or outcome, nodes, edges, a handoff or claims.',
  ),
  guide_trace_not_found: final(
    400,
    'The guide named by `guide_trace_id` is not known in this tenant and scope; `details.expired` is true when it was kept no longer, `details.erased` when it was erased.',
    'No such guide: send the guide_trace_id of a guide of the same tenant_id, scope and consumer.',
  ),
  guide_trace_used_memory_not_exposed: final(
    400,
    'Feedback names memory that the guide did not expose. `details` holds guide_trace_id and not_exposed_memory_ids.',
    'Activate feedback can only be attributed to memory ids exposed by the referenced guide trace: send ids of its agent_context.',
  ),
  feedback_surface_not_attributable: final(
    400,
    'A positive or negative outcome names a surface that cannot carry it.',
    'Non-neutral feedback requires used_surface use_now or explicit_host_assertion: send one of them, or outcome neutral.',
  ),
  reference_required: final(
    400,
    'The request names no memory to act on.',
    'Name what is meant: send at least one of memory_ids, node_ids, client_ids, anchor_id or anchor_uri.',
  ),
  replay_artifact_required: final(
    400,
    'The request holds nothing that could be replayed.',
    'There is nothing to replay: send product_trace with after_guide, or another artifact of the run.',
  ),
  unauthorized: final(
    401,
    'Keys exist, and the request carries none that is valid: missing, unknown, wrong, expired and revoked ones are answered alike. With `details.header` it is the header by which nodes of one store speak to each other that is not right.',
    'Send a valid key, as authorization: Bearer mg_… or as x-api-key: mg_…; memgov keys create makes one.',
  ),
  tenant_forbidden: final(
    403,
    'The request names another tenant than its key; `details.field` says where.',
    'The key is for another tenant: leave tenant_id out, or ask with a key of that tenant.',
  ),
  scope_forbidden: final(
    403,
    'The request names a scope that its key may not enter, or none where the key has several; `details.field` says where.',
    'The key may not enter that scope: send a scope that it has, or ask with another key.',
  ),
  agent_forbidden: final(
    403,
    'The request names another agent, team, owner, producer or origin than its key may speak for; `details.field` says where.',
    'The key speaks for another agent: leave the field out, or ask with a key of that agent.',
  ),
  operator_key_required: final(
    403,
    'The operation, or what it would do here, is for operators. `details` say what: a whole actor without consumer_agent_id, or memory that stands above the key. Where there are no keys: a read of operators that came from another machine.',
    'This needs the key of an operator: memgov keys create --operator makes one.',
  ),
  read_only_key: final(
    403,
    'The key may guide and read, and write nothing else.',
    'The key may only read: ask with a key that may write.',
  ),
  cross_site_request: final(
    403,
    'A browser says that a page of another site sent the request (`sec-fetch-site` or `origin`), and neither allowedOrigins nor allowedHosts lists that site.',
    'A page of another site may not ask: list its origin in the option allowedOrigins.',
  ),
  too_many_scopes: final(
    403,
    'The first write to a scope would make one more than the option scopesPerTenantMax, or scopesMax, allows; `details` names the option and its limit. Nothing was written, and scopes that are there work on.',
    'There are too many scopes: write to one that is there, raise the option, or remove unused ones with memgov scopes prune.',
  ),
  unknown_upstream_route: final(
    403,
    'memgov proxy does not know this route of the store, so it cannot tell whether memory comes back; or a server could read the path as another one.',
    'The proxy does not know this route: ask the store itself, or start memgov proxy with --pass-unknown.',
  ),
  not_found: final(404, 'No such route.', 'No such route: GET /openapi.json lists every path and method.'),
  memory_not_found: final(
    404,
    'None of the named memories exists for this consumer in this tenant and scope. Invisible memory does not exist.',
    'No such memory: send ids which this consumer can see in the same tenant_id and scope.',
  ),
  anchor_not_found: final(
    404,
    'The anchor names no memory that this consumer can see.',
    'No such anchor: send the id, anchor or URI of a memory that this consumer can see.',
  ),
  skill_candidate_not_found: final(
    404,
    'No such skill candidate in this tenant and scope, or none that this consumer can see.',
    'No such skill candidate: send a candidate_id that GET /v1/skills/candidates lists.',
  ),
  method_not_allowed: final(
    405,
    'The route exists with another method.',
    'This route does not take this method: use the method named in the allow header.',
  ),
  request_timeout: passing(
    408,
    1,
    'The request did not arrive whole in time. The connection is closed.',
    'The request did not arrive whole in time: send headers and body without a pause.',
  ),
  operation_conflict: final(
    409,
    'The operation id was used before with another body, or so long ago that its answer is gone (`details.expired`). So it is with a guide and run that are finished: `details` names them.',
    'This operation id already stands for another request or an expired one: send a new operation_id.',
  ),
  skill_candidate_already_reviewed: final(
    409,
    'The skill candidate was reviewed before, by somebody else or another way. `details` names the review.',
    'This skill candidate has its review: a second one changes nothing.',
  ),
  skill_candidate_outdated: final(
    409,
    'The records do not give this skill any more; `details.reason` says why. It can still be rejected.',
    'The records changed since this candidate was proposed: propose it again and review what they give now.',
  ),
  body_too_large: final(
    413,
    'The body is over the size limit.',
    'The body is larger than 5 MiB: send less in one request.',
  ),
  unsupported_media_type: final(
    415,
    'The body is declared as something other than JSON.',
    'Send the body as JSON with the header content-type: application/json.',
  ),
  host_not_allowed: final(
    421,
    'The host header is a name with a dot that the option allowedHosts does not list. It guards against web pages that have a name of their own point at this machine.',
    'The host header names another machine: ask by localhost or an address, or list that name in the option allowedHosts.',
  ),
  not_owner: passing(
    421,
    1,
    'Another node owns this tenant and scope. `details.owner` is its address, and `details.shard` the shard of the scope, as far as known. Nothing was written.',
    'Another node owns this tenant and scope: send the same request to details.owner, or repeat it after the time in the retry-after header.',
  ),
  rate_limited: passing(
    429,
    1,
    'The key or its tenant asks more than an option allows: keyRatePerMinute, tenantRatePerMinute or keyConcurrencyMax. `details.limit` says which, `details.retry_after_s` when to repeat. Nothing was carried out.',
    'Too many requests of this key or tenant: repeat the same request after the time in the retry-after header.',
  ),
  headers_too_large: final(
    431,
    'The request line and headers are over 16 KiB. The connection is closed.',
    'The request headers are larger than 16 KiB: send fewer or shorter ones.',
  ),
  upstream_unavailable: passing(
    502,
    5,
    'memgov proxy got no answer of the store, or none in time. A write may have been carried out.',
    'The store does not answer: check that it runs where --upstream says, then repeat.',
  ),
  upstream_answer_refused: final(
    502,
    'The store answered memgov proxy with what cannot be judged: another shape, encoding, size or a redirect. `details.reason` says which. Nothing of it was passed on.',
    'The store answered with what cannot be judged: see details.reason.',
  ),
  not_governed: passing(
    503,
    1,
    'memgov proxy got the answer of the store, and memgov did not judge it. Nothing of it was passed on.',
    'memgov did not judge what the store answered: repeat when memgov answers.',
  ),
  overloaded: passing(
    503,
    1,
    'Too many requests wait: for this actor, for a load, for the journal, for a worker, or over too many connections. Nothing was written.',
    'The service is busy: repeat the same request after the time in the retry-after header.',
  ),
  erase_incomplete: passing(
    503,
    5,
    'The erasure is recorded and the memory is gone from every answer, but not yet from every file. `details.step` says where it stopped, `details.reason` is disk_full where only room is missing. The service goes on by itself, at the latest when there is room or after a restart.',
    'The erasure is recorded, but not yet everything is off the disk: the service tries again by itself; the same request, repeated, says when it is finished.',
  ),
  storage_read_only: passing(
    503,
    30,
    'The storage takes no writes at the moment; with `details.reason` low_space only forget and erase. Reads go on; with folder_lost only those of what is in memory.',
    'The storage takes no writes at the moment: repeat later with the same operation_id.',
  ),
  storage_unavailable: passing(
    503,
    1,
    'The store does not answer just now, or the system refuses one of its files. With `details.outcome` unknown the request may have been carried out.',
    'The store does not answer just now: repeat with the same operation_id after the time in the retry-after header.',
  ),
  shutting_down: passing(
    503,
    5,
    'The service is closing. Nothing was written.',
    'The service is closing: repeat the same request when it is back.',
  ),
  scope_damaged: final(
    500,
    'Turns of the scope are missing on the disk, or are not what was written. Other scopes are served.',
    'Turns of this scope are lost or damaged on the disk: stop the service, and memgov verify says which, memgov repair --dry-run what can be kept. A backup may hold more.',
  ),
  internal_error: final(
    500,
    'A fault of the service. Its log holds the cause under the request id.',
    'Something went wrong inside the service: report the x-request-id, and repeat with an operation_id.',
  ),
} satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/** In the order of the table. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS).filter(isErrorCode)

/** One thing wrong with a request: a dot-joined path and a sentence that says what to send instead. */
export interface RequestIssue {
  readonly path: string
  readonly message: string
}

/** Facts about a refusal, in wire names (snake_case). Never memory text. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** Why a program that embeds the runtime gets none, and when. A code is public: renaming one is a breaking change. */
export const START_ERRORS = {
  invalid_option:
    'An option has a value that is not allowed, or no such option exists. The message has a line for each.',
  store_in_use:
    'Another runtime, service or command uses the data folder. `details` names the folder and who holds it.',
  store_damaged:
    'The bytes of the data folder contradict each other, or a part is missing. Nothing was changed: run memgov verify on it.',
  store_newer: 'A newer version wrote the data folder: use that version.',
  store_refused:
    'The database of the store cannot be reached, or is not as it has to be. The message says what to change.',
  disk_full: 'The volume of the data folder has no room.',
  file_unusable: 'The system refuses a file or folder: its permissions, its kind, or a missing parent.',
  package_incomplete:
    'The files of the package are not where they were installed, as in a bundle without it.',
  start_failed: 'Anything else that keeps the runtime from starting; `cause` holds it.',
} as const satisfies Record<string, string>

export type StartErrorCode = keyof typeof START_ERRORS

/** Everything that an embedded runtime throws or rejects with. */
export class MemgovError extends Error {
  override readonly name = 'MemgovError'
  readonly code: ErrorCode | StartErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode | StartErrorCode, details: ErrorDetails, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }

  /** HTTP status of a refused request; null: there is no runtime to ask. */
  get status(): number | null {
    return isErrorCode(this.code) ? ERRORS[this.code].status : null
  }
}

/** A refusal that the caller is meant to see. Everything else that is thrown is a fault of ours. */
export class DomainError extends MemgovError {
  declare readonly code: ErrorCode

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    message: string = ERRORS[code].message,
    cause?: unknown,
  ) {
    super(code, details, message, cause)
  }

  /** HTTP status. */
  override get status(): number {
    return ERRORS[this.code].status
  }
}

/** Why there is no runtime. */
export class StartError extends MemgovError {
  declare readonly code: StartErrorCode

  constructor(code: StartErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(code, details, message, cause)
  }
}

/** A request that cannot be understood. The first issue is also the message, because some clients show only that. */
export function invalidRequest(issues: readonly RequestIssue[]): DomainError {
  return new DomainError('invalid_request', { issues }, issues[0]?.message)
}

/** What to write of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
