/** Rule files, and the tests that have to notice every change of them. */
export interface Group {
  readonly name: string
  /** Patterns of paths; one that begins with `!` takes files out. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const GOVERNANCE = 'src/domain/governance'
const MEMORY = 'src/domain/memory'
const RULES = 'test/rules'

export const GROUPS: readonly Group[] = [
  {
    name: 'lifecycle',
    sources: [`${GOVERNANCE}/lifecycle.ts`],
    tests: [`${RULES}/lifecycle*.test.ts`, `${RULES}/transitions.test.ts`],
  },
  {
    name: 'admission',
    sources: [`${GOVERNANCE}/admission.ts`],
    tests: [`${RULES}/admission-bounds.test.ts`, `${RULES}/surfaces.test.ts`, `${RULES}/lineage.test.ts`],
  },
  {
    name: 'exposure',
    sources: [`${GOVERNANCE}/attribution.ts`, `${GOVERNANCE}/visibility.ts`],
    tests: [`${RULES}/exposure*.test.ts`, `${RULES}/visibility.test.ts`, `${RULES}/feedback.test.ts`],
  },
  {
    name: 'feedback',
    sources: [`${GOVERNANCE}/feedback.ts`],
    tests: [`${RULES}/standing-bounds.test.ts`, `${RULES}/feedback*.test.ts`, `${RULES}/transitions.test.ts`],
  },
  {
    name: 'govern',
    sources: [`${GOVERNANCE}/govern-*.ts`],
    tests: [`${RULES}/govern*.test.ts`, 'test/unit/govern-signal.test.ts'],
  },
  {
    name: 'memory',
    sources: [
      `${MEMORY}/{confirm,correct,decision,echo,evolve,forget,lineage,observe,references,state}.ts`,
      `${MEMORY}/write-{claim,handoff,memory}.ts`,
    ],
    tests: [`${RULES}/memory-*.test.ts`, `${RULES}/lineage.test.ts`],
  },
  {
    name: 'guide',
    sources: ['src/domain/guide/{assessment,selection,candidates}.ts'],
    tests: [`${RULES}/guide-bounds.test.ts`, `${RULES}/guide-candidates-bounds.test.ts`],
  },
  {
    name: 'screening',
    sources: ['src/domain/screening/*.ts'],
    tests: ['test/unit/screening-*.test.ts'],
  },
]
