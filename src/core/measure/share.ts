/** Three decimals, halves away from zero: the rounded opposite is the opposite of the rounded. */
export function rounded(value: number): number {
  // Adding 0 turns -0, which a small negative number leaves behind, into 0.
  return (Math.sign(value) * Math.round(Math.abs(value) * 1000)) / 1000 + 0
}

/** From 0 to 1; `otherwise` when there is nothing to divide by. */
export function shareOf(part: number, whole: number, otherwise: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : otherwise
}

/** The mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
