/** What has to be closed, in the order in which it was opened. */
export type Opened = (() => Promise<void>)[]

/** Closes all of it, the last first, whatever fails on the way. */
export async function released(opened: Opened): Promise<void> {
  const failures: unknown[] = []
  for (const close of opened.splice(0).toReversed()) {
    await close().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
}
