/** A sum of terms, each a coefficient times what was measured beside the cost. */
export interface LinearModel<Term extends string> {
  readonly coefficients: Readonly<Record<Term, number>>
  /** Mean absolute distance of the model from the measurements, as a share of the mean measurement. */
  readonly error: number
  /** Share of the variance that the model explains; 1 where the measurements do not vary. */
  readonly explained: number
}

export interface Observation<Term extends string> {
  readonly terms: Readonly<Record<Term, number>>
  readonly cost: number
}

/**
 * The coefficients with the least sum of squared distances from the costs (Householder QR, so that terms of very
 * different size do no harm). A RangeError for fewer observations than terms, or terms that depend on each other.
 */
export function fitModel<Term extends string>(
  names: readonly Term[],
  observations: readonly Observation<Term>[],
): LinearModel<Term> {
  if (observations.length < names.length) {
    throw new RangeError(`${names.length} terms need as many observations, not ${observations.length}`)
  }
  const scales = names.map((name) => Math.hypot(...observations.map(({ terms }) => terms[name])) || 1)
  const rows = observations.map(({ terms }) => names.map((name, at) => terms[name] / (scales[at] ?? 1)))
  const costs = observations.map(({ cost }) => cost)
  const solved = leastSquares(rows, costs)
  const entries = names.map((name, at) => [name, (solved[at] ?? 0) / (scales[at] ?? 1)] as const)
  const coefficients = Object.fromEntries(entries) as Record<Term, number>
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  const distances = observations.map(({ terms, cost }) => cost - predicted(coefficients, terms))
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0)
  const variance = squares(costs.map((cost) => cost - mean))
  const absolute = distances.reduce((sum, distance) => sum + Math.abs(distance), 0) / costs.length
  return {
    coefficients,
    error: mean === 0 ? absolute : absolute / Math.abs(mean),
    explained: variance === 0 ? 1 : 1 - squares(distances) / variance,
  }
}

/** What the model says for other terms. */
export function predicted<Term extends string>(
  coefficients: Readonly<Record<Term, number>>,
  terms: Readonly<Record<Term, number>>,
): number {
  let sum = 0
  for (const name in coefficients) sum += coefficients[name] * terms[name]
  return sum
}

/** Below this share of a column's length the rest of it counts as nothing: it depends on the columns before. */
const DEPENDENT_BELOW = 1e-10

/** Columns of length 1 are expected. */
function leastSquares(rows: readonly (readonly number[])[], costs: readonly number[]): readonly number[] {
  const matrix = rows.map((row) => [...row])
  const right = [...costs]
  const columns = rows[0]?.length ?? 0
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0
  for (let column = 0; column < columns; column += 1) {
    const below = matrix.slice(column).map((row) => row[column] ?? 0)
    const length = Math.hypot(...below)
    if (length < DEPENDENT_BELOW) throw new RangeError('the terms depend on each other')
    const [head = 0] = below
    const mirror = [head + Math.sign(head || 1) * length, ...below.slice(1)]
    const norm = mirror.reduce((sum, value) => sum + value * value, 0)
    const reflect = (values: readonly number[]): readonly number[] => {
      const share = (2 * mirror.reduce((sum, value, row) => sum + value * (values[row] ?? 0), 0)) / norm
      return mirror.map((value, row) => (values[row] ?? 0) - share * value)
    }
    for (let other = column; other < columns; other += 1) {
      const reflected = reflect(matrix.slice(column).map((row) => row[other] ?? 0))
      for (const [row, value] of reflected.entries()) matrix[column + row]?.splice(other, 1, value)
    }
    for (const [row, value] of reflect(right.slice(column)).entries()) right[column + row] = value
  }
  const solved = new Array<number>(columns).fill(0)
  for (let row = columns - 1; row >= 0; row -= 1) {
    let rest = right[row] ?? 0
    for (let column = row + 1; column < columns; column += 1) rest -= at(row, column) * (solved[column] ?? 0)
    solved[row] = rest / at(row, row)
  }
  return solved
}
