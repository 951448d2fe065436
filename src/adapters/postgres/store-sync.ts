/** `local`: a commit is durable on the server that made it. `replicated`: on a standby too. */
export const STORE_SYNCS = ['local', 'replicated'] as const
export type StoreSync = (typeof STORE_SYNCS)[number]
