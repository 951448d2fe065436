/** Operator log. Fields are ids, counts and codes: never memory text, never a request body. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
