/** Rule files, and the tests that have to notice every change of them. */
export interface Group {
  readonly name: string
  /** Patterns of paths; one that begins with `!` takes files out. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const MODEL = 'src/core/model'
const WRITE = 'src/core/write'
const RULES = 'test/rules'

export const GROUPS: readonly Group[] = [
  {
    name: 'lifecycle',
    sources: [`${MODEL}/lifecycle.ts`],
    tests: [`${RULES}/lifecycle*.test.ts`, `${RULES}/transitions.test.ts`],
  },
  {
    name: 'admission',
    sources: ['src/core/policy/admission.ts'],
    tests: [`${RULES}/admission-bounds.test.ts`, `${RULES}/surfaces.test.ts`, `${RULES}/lineage.test.ts`],
  },
  {
    name: 'exposure',
    sources: [`${WRITE}/attribution.ts`, `${MODEL}/visibility.ts`],
    tests: [`${RULES}/exposure*.test.ts`, `${RULES}/visibility.test.ts`, `${RULES}/feedback.test.ts`],
  },
  {
    name: 'feedback',
    sources: [`${WRITE}/feedback.ts`],
    tests: [`${RULES}/standing.test.ts`, `${RULES}/feedback*.test.ts`, `${RULES}/transitions.test.ts`],
  },
  {
    name: 'govern',
    sources: ['src/core/external/govern-*.ts'],
    tests: [`${RULES}/govern*.test.ts`, 'test/unit/govern-signal.test.ts'],
  },
  {
    name: 'memory',
    sources: [
      `${WRITE}/{decision,forget,lineage,observe,similar,subject}.ts`,
      `${MODEL}/{evolve,references,state}.ts`,
      `${WRITE}/write-{claim,memory}.ts`,
    ],
    tests: [`${RULES}/memory-*.test.ts`, `${RULES}/lineage.test.ts`],
  },
  {
    name: 'guide',
    sources: ['src/core/guide/candidates.ts'],
    tests: [`${RULES}/guide-bounds.test.ts`, `${RULES}/guide-candidates-bounds.test.ts`],
  },
  {
    name: 'dispute',
    sources: [`${WRITE}/{dispute,settle}.ts`, `${MODEL}/dispute.ts`, 'src/core/guide/disputes.ts'],
    tests: [
      `${RULES}/dispute*.test.ts`,
      `${RULES}/{conflict,judged-anew,said-anew,settle}.test.ts`,
      `${RULES}/memory-judge-bounds*.test.ts`,
    ],
  },
  {
    name: 'screening',
    sources: ['src/core/screening/*.ts'],
    tests: ['test/unit/screening-*.test.ts'],
  },
]
