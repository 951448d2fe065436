/** Which actors there are in the store. */
export interface Directory {
  /** How many actors have ever written anything. */
  known(): Promise<number>
  /** Each of them once, in no order and never as one list. One that writes for the first time meanwhile may be left out. */
  actors(): AsyncIterable<string>
}
