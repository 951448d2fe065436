import type { Sample } from './samples.ts'

const STEPS = 250
const RATE = 0.15
/** The last steps are this small a share of the first. */
const LAST_RATE = 0.02
/** Keeps weights of features that say little near zero. */
const RIDGE = 2e-2
// Of the running means of the gradient and of its square (Adam).
const MEAN_KEPT = 0.9
const SQUARE_KEPT = 0.99
const TINY = 1e-9

/**
 * Weights under which what answers a question stands above what does not: softmax loss, each evidence against all that is
 * none, with a ridge. Full batch from zero, so the same samples give the same weights.
 */
export function descend(samples: readonly Sample[], size: number): Float64Array {
  const weights = new Float64Array(size)
  const mean = new Float64Array(size)
  const square = new Float64Array(size)
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = weights.map((weight) => 2 * RIDGE * weight)
    for (const sample of samples) addGradient(sample, weights, gradient)
    const rate = RATE * LAST_RATE ** (step / STEPS)
    for (let at = 0; at < size; at += 1) {
      const slope = gradient[at] ?? 0
      mean[at] = MEAN_KEPT * (mean[at] ?? 0) + (1 - MEAN_KEPT) * slope
      square[at] = SQUARE_KEPT * (square[at] ?? 0) + (1 - SQUARE_KEPT) * slope * slope
      const unbiased = (mean[at] ?? 0) / (1 - MEAN_KEPT ** step)
      const size2 = (square[at] ?? 0) / (1 - SQUARE_KEPT ** step)
      weights[at] = (weights[at] ?? 0) - (rate * unbiased) / (Math.sqrt(size2) + TINY)
    }
  }
  return weights
}

function addGradient(
  { weight, rows, isEvidence }: Sample,
  weights: Float64Array,
  gradient: Float64Array,
): void {
  const size = weights.length
  const count = isEvidence.length
  const odds = new Float64Array(count)
  let highest = Number.NEGATIVE_INFINITY
  for (let place = 0; place < count; place += 1) {
    let score = 0
    for (let at = 0; at < size; at += 1) score += (weights[at] ?? 0) * (rows[place * size + at] ?? 0)
    odds[place] = score
    if (score > highest) highest = score
  }
  let others = 0
  let evidence = 0
  for (let place = 0; place < count; place += 1) {
    odds[place] = Math.exp((odds[place] ?? 0) - highest)
    if (isEvidence[place] === 1) evidence += 1
    else others += odds[place] ?? 0
  }
  const share = weight / evidence
  // What all evidence together pushes down each other candidate by, in its odds.
  let push = 0
  for (let place = 0; place < count; place += 1) {
    if (isEvidence[place] !== 1) continue
    const all = others + (odds[place] ?? 0)
    push += share / all
    addRow(rows, place, -share * (others / all), gradient)
  }
  for (let place = 0; place < count; place += 1)
    if (isEvidence[place] !== 1) addRow(rows, place, push * (odds[place] ?? 0), gradient)
}

function addRow(rows: Float32Array, place: number, factor: number, gradient: Float64Array): void {
  const size = gradient.length
  for (let at = 0; at < size; at += 1)
    gradient[at] = (gradient[at] ?? 0) + factor * (rows[place * size + at] ?? 0)
}
