import { isObject, recordOf } from '../base/collections.ts'
import {
  AMOUNT_MAX,
  AMOUNT_METRICS,
  type AmountMetric,
  FLAG_METRICS,
  type FlagMetric,
  isFlagMetric,
  KERNELS,
  type Kernel,
  METRIC_NAMES,
  METRICS,
  type MetricName,
  snakeName,
} from './metrics.ts'
import { fieldOf, firstOf, partOf, textOf, type WireObject } from './wire-object.ts'

const WARNINGS_MAX = 20
const NAME_CHARS_MAX = 80
// With the words that observe and finish forgive.
const SUCCESS_WORDS: readonly string[] = [
  'succeeded',
  'success',
  'passed',
  'positive',
  'ok',
  'done',
  'completed',
]
const FAILURE_WORDS: readonly string[] = ['failed', 'failure', 'blocked', 'negative', 'error']
/** They leave open how the run ended. */
const OPEN_WORDS: readonly string[] = ['interrupted', 'unknown', 'neutral', 'not_run', '']
/** Fields of the run itself, both spellings. They are no part of a kernel score. */
export const RUN_FIELDS = {
  label: ['label'],
  runId: ['run_id', 'runId'],
  outcome: ['outcome'],
  success: ['success', 'task_success', 'taskSuccess'],
  steps: ['steps'],
  toolCalls: ['tool_calls', 'toolCalls'],
} as const
const RUN_NAMES: ReadonlySet<string> = new Set(Object.values(RUN_FIELDS).flat())
/** A group holds the metrics of its kernel; metrics may as well stand beside the groups. */
export const GROUPS: Readonly<Record<Kernel, readonly string[]>> = {
  continuity: ['continuity'],
  learning: ['learning'],
  forgetting: ['forgetting'],
  learning_control: ['learning_control', 'learningControl'],
}

/** What one run was like. Null: not observed. */
export interface Observation {
  readonly label: string | null
  readonly amounts: Readonly<Record<AmountMetric, number | null>>
  readonly flags: Readonly<Record<FlagMetric, boolean | null>>
  readonly runId: string | null
  readonly outcome: string | null
  readonly isSuccess: boolean | null
  readonly steps: number | null
  readonly toolCalls: number | null
}

/** Nothing observed. */
export const NO_OBSERVATION: Observation = {
  label: null,
  amounts: recordOf(AMOUNT_METRICS, () => null),
  flags: recordOf(FLAG_METRICS, () => null),
  runId: null,
  outcome: null,
  isSuccess: null,
  steps: null,
  toolCalls: null,
}

/**
 * Reads an observation in either spelling, metrics grouped by kernel or flat; a group counts before a flat field,
 * camelCase before snake_case. What is not known, or not of the metric's type and bounds, is ignored and named.
 * @param place path of the observation, for the warnings
 */
export function readObservation(value: WireObject, place: string) {
  const { observation, warnings } = readMetrics(value, place)
  const known = new Set<string>([...RUN_NAMES, ...METRIC_NAMES, ...METRIC_NAMES.map(snakeName)])
  for (const kernel of KERNELS) for (const name of GROUPS[kernel]) known.add(name)
  warnings.push(...unknownIn(value, known, place))
  for (const kernel of KERNELS) {
    const own = METRIC_NAMES.filter((name) => METRICS[name].kernel === kernel)
    const knownInGroup = new Set<string>([...own, ...own.map(snakeName)])
    for (const group of GROUPS[kernel]) {
      warnings.push(...unknownIn(partOf(value, group), knownInGroup, `${place}.${group}`))
    }
  }
  const { outcome, isSuccess } = observation
  if (isSuccess === null && !OPEN_WORDS.includes(wordOf(outcome)))
    warnings.push(`${place}.outcome does not say how the run ended: send succeeded or failed`)
  if ((successOf(outcome) ?? isSuccess) !== isSuccess)
    warnings.push(`${place}.outcome says otherwise than success and was ignored: send one of them`)
  const left = warnings.length - WARNINGS_MAX
  if (left > 0) warnings.splice(WARNINGS_MAX, left, `${left} further fields of ${place} were ignored`)
  return { observation, warnings }
}

/** As `readObservation`, for an object that holds much else: unknown fields are not named. */
export function readMetrics(value: WireObject, place: string) {
  const warnings: string[] = []
  const amounts = recordOf(AMOUNT_METRICS, (name) => valueOf(value, name, isAmount, place, warnings))
  const flags = recordOf(FLAG_METRICS, (name) => valueOf(value, name, isFlag, place, warnings))
  const outcome = firstOf(RUN_FIELDS.outcome, (name) => textOf(value, name))
  const said = firstOf(RUN_FIELDS.success, (name) => {
    const found = fieldOf(value, name)
    return isFlag(found) ? found : null
  })
  const amount = (name: string): number | null => {
    const found = fieldOf(value, name)
    return isAmount(found) ? found : null
  }
  const observation = {
    label: textOf(value, 'label'),
    amounts,
    flags,
    runId: firstOf(RUN_FIELDS.runId, (name) => textOf(value, name)),
    outcome,
    isSuccess: said ?? successOf(outcome),
    steps: firstOf(RUN_FIELDS.steps, amount),
    toolCalls: firstOf(RUN_FIELDS.toolCalls, amount),
  }
  return { observation, warnings }
}

/** What `first` observed, and where it observed nothing what `second` did. */
export function overlaid(first: Observation, second: Observation): Observation {
  return {
    label: first.label ?? second.label,
    amounts: recordOf(AMOUNT_METRICS, (name) => first.amounts[name] ?? second.amounts[name]),
    flags: recordOf(FLAG_METRICS, (name) => first.flags[name] ?? second.flags[name]),
    runId: first.runId ?? second.runId,
    outcome: first.outcome ?? second.outcome,
    isSuccess: first.isSuccess ?? second.isSuccess,
    steps: first.steps ?? second.steps,
    toolCalls: first.toolCalls ?? second.toolCalls,
  }
}

export function metricOf(observation: Observation, name: MetricName): number | boolean | null {
  return isFlagMetric(name) ? observation.flags[name] : observation.amounts[name]
}

/** The metrics that were observed, grouped by kernel under their camelCase names, as clients of measure type them. */
export function wireObservation(observation: Observation) {
  const group = (kernel: Kernel) => {
    const own = METRIC_NAMES.filter((name) => METRICS[name].kernel === kernel)
    const observed = own.flatMap((name) => {
      const value = metricOf(observation, name)
      return value === null ? [] : [[name, value] as const]
    })
    return Object.fromEntries(observed)
  }
  return {
    label: observation.label,
    run_id: observation.runId,
    outcome: observation.outcome,
    success: observation.isSuccess,
    steps: observation.steps,
    tool_calls: observation.toolCalls,
    ...recordOf(KERNELS, group),
  }
}

function valueOf<Value extends number | boolean>(
  value: WireObject,
  name: MetricName,
  fits: (found: unknown) => found is Value,
  place: string,
  warnings: string[],
): Value | null {
  const holders: readonly (readonly [string, WireObject])[] = [
    ...GROUPS[METRICS[name].kernel].map((group) => [`${place}.${group}`, partOf(value, group)] as const),
    [place, value],
  ]
  let chosen: Value | null = null
  for (const [path, holder] of holders) {
    for (const spelling of [name, snakeName(name)]) {
      const found = fieldOf(holder, spelling)
      if (found === undefined || found === null) continue
      if (!fits(found)) warnings.push(`${path}.${spelling} is not ${expected(name)} and was ignored`)
      else if (chosen === null) chosen = found
      else if (chosen !== found) warnings.push(`${path}.${spelling} was given before and was ignored`)
    }
  }
  return chosen
}

function expected(name: MetricName): string {
  return isFlagMetric(name) ? 'true or false' : `a number from 0 to ${AMOUNT_MAX}`
}

function isAmount(found: unknown): found is number {
  return typeof found === 'number' && found >= 0 && found <= AMOUNT_MAX
}

function isFlag(found: unknown): found is boolean {
  return typeof found === 'boolean'
}

function unknownIn(value: unknown, known: ReadonlySet<string>, place: string): readonly string[] {
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => `${place}.${key.slice(0, NAME_CHARS_MAX)} is not known and was ignored`)
}

function successOf(outcome: string | null): boolean | null {
  const word = wordOf(outcome)
  if (SUCCESS_WORDS.includes(word)) return true
  return FAILURE_WORDS.includes(word) ? false : null
}

function wordOf(outcome: string | null): string {
  return outcome?.trim().toLowerCase() ?? ''
}
