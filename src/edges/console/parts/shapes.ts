// The shapes that tell a surface or an outcome, without what draws them.

export const SHAPES: Readonly<Record<string, string>> = {
  // A disc, a diamond, a ring, a barred octagon.
  use_now: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  inspect_before_use: 'M8 1.5 14.5 8 8 14.5 1.5 8Z',
  rehydrate: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 2.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8Z',
  do_not_use: 'M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.300ZM4.500 7v2h7V7Z',
  // A tick, a cross, a dash, a ring that is open.
  good: 'M6.400 12.800 2 8.400l1.700-1.700 2.700 2.700 5.900-6L14 5.100Z',
  bad: 'm3.600 2 4.400 4.400L12.400 2 14 3.600 9.600 8l4.400 4.400-1.600 1.600L8 9.600 3.600 14 2 12.400 6.400 8 2 3.600Z',
  even: 'M2.500 6.800h11v2.400h-11Z',
  none: 'M8 3.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9Zm0 1.700a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600Z',
}

const OUTCOME_SHAPES: Readonly<Record<string, string>> = {
  positive: 'good',
  succeeded: 'good',
  passed: 'good',
  negative: 'bad',
  failed: 'bad',
  blocked: 'bad',
  neutral: 'even',
  interrupted: 'even',
}

export function outcomeShape(outcome: string | null): string {
  return outcome === null ? 'none' : (OUTCOME_SHAPES[outcome] ?? 'none')
}
