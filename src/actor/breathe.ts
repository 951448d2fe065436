/** Lets the event loop serve others before the next piece of a long task. */
export async function breathe(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
}
