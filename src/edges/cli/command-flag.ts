/** A flag of a command other than `serve`. */
export interface CommandFlag {
  readonly name: string
  /** What stands for the value in help, `DIR`; empty for a switch. */
  readonly value: string
  readonly commands: readonly string[]
  readonly description: string
}

export function flag(
  name: string,
  value: string,
  commands: readonly string[],
  description: string,
): CommandFlag {
  return { name, value, commands, description }
}
