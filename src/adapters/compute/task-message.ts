/** What a thread is asked: to call the default export of a module. */
export interface TaskRequest {
  readonly taskUrl: string
  readonly input: unknown
}

/** What it answers; before its first answer it says null: it is ready. */
export type TaskAnswer =
  | { readonly isDone: true; readonly output: unknown }
  | { readonly isDone: false; readonly error: unknown }
