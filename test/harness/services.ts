/** Services that run in this process, so that nothing has to load one to see that none is left. */
export const services = new Set<{ close(): Promise<void> }>()

/** For `afterEach`; behind a file of tests it is done anyway. */
export async function closeEmbedded(): Promise<void> {
  for (const service of services) await service.close()
}
