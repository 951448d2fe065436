export interface Rule {
  readonly id: string
  readonly law: string
}
