import { EVIDENCE_REASONS } from '../core/measure/evidence.ts'
import { METRICS } from '../core/measure/metrics.ts'
import { SKILL_REFUSALS } from '../core/measure/skill.ts'
import type { Tool } from '../edges/mcp/tool.ts'
import { TOOLS } from '../edges/mcp/tools.ts'
import { alignedTable } from './aligned-table.ts'

const GENERATED =
  '<!-- Generated from the tables of the code by `npm run docs`. Change them, not this page. -->'

/** What an observation may measure, and the words in which a measurement says why it claims nothing. */
export function measureWordsPage(): string {
  const metrics = Object.entries(METRICS).map(([name, { kernel, type, meaning }]) => [
    `\`${name}\``,
    kernel,
    type,
    meaning,
  ])
  return [
    GENERATED,
    '# Words of measure',
    'How they are used: [measure](measure.md). In `snake_case` metrics are accepted too.',
    '## Metrics',
    alignedTable(['Metric', 'Kernel', 'Type', 'Meaning'], metrics),
    '## Reasons against a claim',
    meanings(EVIDENCE_REASONS),
    '## Why there is no skill candidate',
    meanings(SKILL_REFUSALS),
  ]
    .join('\n\n')
    .concat('\n')
}

function meanings(words: Readonly<Record<string, string>>): string {
  return alignedTable(
    ['Word', 'Meaning'],
    Object.entries(words).map(([word, meaning]) => [`\`${word}\``, meaning]),
  )
}

/** The tools of MCP with their arguments. */
export function mcpToolsPage(): string {
  return [
    GENERATED,
    '# Tools of MCP',
    'How an agent reaches them: [MCP](mcp.md). A `?` marks an argument that may be left out.',
    alignedTable(['Tool', 'Arguments', 'Operation', 'Hints'], TOOLS.map(toolRow)),
  ]
    .join('\n\n')
    .concat('\n')
}

function toolRow({ listed, operation }: Tool): readonly string[] {
  const { properties = {}, required = [] } = listed.inputSchema
  const { readOnlyHint, destructiveHint, idempotentHint } = listed.annotations ?? {}
  const hints = [
    readOnlyHint === true ? 'reads' : 'writes',
    ...(destructiveHint === true ? ['takes away'] : []),
    ...(idempotentHint === true ? ['repeatable'] : []),
  ]
  const names = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
  return [`\`${listed.name}\``, names.join(', '), operation, hints.join(', ')]
}
