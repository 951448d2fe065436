/** The body of a stored event: everything but its type. */
export type EventBody = Readonly<Record<string, unknown>>

/** Turns the body of one version of one kind of event into the next version. Pure. */
export interface Upcaster {
  /** The event's number in EVENT_TYPES. */
  readonly code: number
  readonly fromVersion: number
  upcast(body: EventBody): EventBody
}

/** Every version above 1 in EVENT_TYPES has a step to it here. */
export const UPCASTERS: readonly Upcaster[] = [
  // Before guides could withhold memory, none did.
  { code: 9, fromVersion: 1, upcast: (body) => ({ ...body, heldOut: false }) },
]
