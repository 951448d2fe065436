import process from 'node:process'

/** Tells what a suite has done, when it is asked to: with TEST_COUNTS set. */
export function tellCounts(suite: string, counts: Readonly<Record<string, number>>): void {
  if ((process.env['TEST_COUNTS'] ?? '') === '') return
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  process.stderr.write(`${suite}: ${told.join(', ')}\n`)
}
