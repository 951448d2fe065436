/** One generated file. */
export interface Page {
  /** Relative to the root of the project. */
  readonly path: string
  readonly text: string
}
