import { z } from 'zod'
import type { OptionFlag, OptionRow } from '../../edges/cli/commands.ts'
import { Options } from './options.ts'

/** Every option that is also a flag. */
export function optionFlags(): OptionFlag[] {
  return Object.keys(Options.shape)
    .filter((name) => !isSecret(name))
    .map((name) => ({ name, flag: flagOf(name), isSwitch: isSwitch(name) }))
}

/** The same with the words that help and documentation need. */
export function optionRows(): OptionRow[] {
  return allRows().filter(({ name }) => !isSecret(name))
}

/** Options that are variables only. */
export function secretRows(): Omit<OptionRow, 'flag'>[] {
  return allRows().filter(({ name }) => isSecret(name))
}

/** Every option, secrets as well. */
export function allRows(): OptionRow[] {
  const properties = z.toJSONSchema(Options, { io: 'output' }).properties ?? {}
  return Object.entries(properties).map(([name, schema]) => {
    const property = typeof schema === 'boolean' ? {} : schema
    const preset = property.default ?? null
    return {
      name,
      flag: flagOf(name),
      isSwitch: isSwitch(name),
      env: envName(name),
      unit: typeof property['unit'] === 'string' ? property['unit'] : null,
      defaultText: textOf(preset),
      allowed: allowedValues(property),
      choices: choicesOf(property),
      description: property.description ?? '',
    }
  })
}

/** A secret comes from the environment only, where other processes and shells do not show it, and is never printed. */
export function isSecret(name: string): boolean {
  return isMarked(name, 'isSecret')
}

/** On the command line a switch has no value: to name it means true. */
function isSwitch(name: string): boolean {
  return isMarked(name, 'isSwitch')
}

function isMarked(name: string, mark: 'isSecret' | 'isSwitch'): boolean {
  return Object.entries(Options.shape).some(
    ([known, schema]) => known === name && schema.meta()?.[mark] === true,
  )
}

/** `dataDir` is MEMGOV_DATA_DIR. */
export function envName(name: string): string {
  return `MEMGOV_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function textOf(preset: unknown): string {
  if (preset === null || (Array.isArray(preset) && preset.length === 0)) return 'none'
  return typeof preset === 'string' ? preset : JSON.stringify(preset)
}

interface PropertySchema {
  readonly [key: string]: unknown
}

function choicesOf(property: PropertySchema): readonly string[] {
  return Array.isArray(property['enum']) ? property['enum'].map(String) : []
}

function allowedValues(property: PropertySchema): string {
  if (typeof property['allowed'] === 'string') return property['allowed']
  if (Array.isArray(property['enum'])) return property['enum'].join(', ')
  return `an integer from ${String(property['minimum'])} to ${String(property['maximum'])}`
}
