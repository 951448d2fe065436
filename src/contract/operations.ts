/** Names of the operations; the table itself comes with the contract. */
export type OperationName =
  | 'observe'
  | 'guide'
  | 'feedback'
  | 'forget'
  | 'rehydrate'
  | 'resolve'
  | 'health'
  | 'openapi'
