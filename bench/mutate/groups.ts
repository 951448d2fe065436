/** Rule files with the tests that are to hold them. */
export interface Group {
  readonly name: string
  /** Files, or folders that end in `/`. */
  readonly sources: readonly string[]
  /** In the order in which they run: the quick and telling ones first. */
  readonly tests: readonly string[]
  /** Files that shape what is kept between calls: each of their mutants gets a process of its own. */
  readonly keeps: readonly string[]
  /** Files that compute tables while they are loaded: so does each of their survivors. */
  readonly tables: readonly string[]
  /** At most so many mutants of each file, drawn by seed; null: all. */
  readonly sampleMax: number | null
}

const GOVERNANCE = 'src/domain/governance'
const MEMORY = 'src/domain/memory'
const RULES = 'test/rules'

export const GROUPS: readonly Group[] = [
  {
    name: 'lifecycle',
    sources: [`${GOVERNANCE}/lifecycle.ts`],
    tests: [
      `${RULES}/lifecycle-bounds.test.ts`,
      `${RULES}/lifecycle.test.ts`,
      `${RULES}/transitions.test.ts`,
    ],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'admission',
    sources: [`${GOVERNANCE}/admission.ts`],
    tests: [`${RULES}/admission-bounds.test.ts`, `${RULES}/surfaces.test.ts`, `${RULES}/lineage.test.ts`],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'exposure',
    sources: [`${GOVERNANCE}/attribution.ts`, `${GOVERNANCE}/visibility.ts`],
    tests: [
      `${RULES}/exposure-bounds.test.ts`,
      `${RULES}/exposure.test.ts`,
      `${RULES}/visibility.test.ts`,
      `${RULES}/feedback.test.ts`,
    ],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'feedback',
    sources: [`${GOVERNANCE}/feedback.ts`],
    tests: [
      `${RULES}/standing-bounds.test.ts`,
      `${RULES}/feedback-bounds.test.ts`,
      `${RULES}/feedback.test.ts`,
      `${RULES}/transitions.test.ts`,
    ],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'govern',
    sources: [
      'context',
      'decision',
      'examination',
      'history',
      'record',
      'rules',
      'signal',
      'summary',
      'table',
    ].map((part) => `${GOVERNANCE}/govern-${part}.ts`),
    tests: [
      `${RULES}/govern-answers-bounds.test.ts`,
      `${RULES}/govern-context-bounds.test.ts`,
      `${RULES}/govern-summary-bounds.test.ts`,
      `${RULES}/govern-history-bounds.test.ts`,
      `${RULES}/govern-bounds.test.ts`,
      'test/unit/govern-signal.test.ts',
      `${RULES}/govern.test.ts`,
      `${RULES}/govern-actor.test.ts`,
      `${RULES}/govern-prompt.test.ts`,
    ],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'memory',
    sources: [
      'confirm',
      'correct',
      'decision',
      'echo',
      'evolve',
      'forget',
      'lineage',
      'observe',
      'references',
      'state',
      'write-claim',
      'write-handoff',
      'write-memory',
    ].map((part) => `${MEMORY}/${part}.ts`),
    tests: [
      `${RULES}/memory-write-bounds.test.ts`,
      `${RULES}/memory-write-bounds-2.test.ts`,
      `${RULES}/memory-write-bounds-3.test.ts`,
      `${RULES}/memory-judge-bounds.test.ts`,
      `${RULES}/memory-judge-bounds-2.test.ts`,
      `${RULES}/memory-judge-bounds-3.test.ts`,
      `${RULES}/memory-state-bounds.test.ts`,
      `${RULES}/memory-state-bounds-2.test.ts`,
      `${RULES}/lineage.test.ts`,
    ],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'guide',
    sources: ['assessment', 'selection', 'candidates'].map((part) => `src/domain/guide/${part}.ts`),
    tests: [`${RULES}/guide-bounds.test.ts`, `${RULES}/guide-candidates-bounds.test.ts`],
    keeps: [],
    tables: [],
    sampleMax: null,
  },
  {
    name: 'screening',
    sources: ['src/domain/screening/'],
    tests: [
      ...[
        'units',
        'columns',
        'ciphers',
        'folding',
        'lookup',
        'lexicon',
        'bytes',
        'hidden',
        'encodings',
        'encodings-2',
        'marks',
        'marks-2',
        'markup',
        'words',
        'words-2',
        'orders',
        'orders-2',
        'requests',
        'spelling',
        'clauses',
      ].map((part) => `test/unit/screening-bounds-${part}.test.ts`),
      'test/unit/screening-words.test.ts',
    ],
    // What a unit is is found out once for each of them.
    keeps: ['src/core/screening/unit-kind.ts', 'src/core/screening/hidden.ts'],
    tables: [
      'bytes',
      'ciphers',
      'confusables',
      'folding',
      'gap',
      'lexicon',
      'secrets',
      'segments',
      'span-index',
      'survey',
      'word-columns',
    ].map((part) => `src/domain/screening/${part}.ts`),
    sampleMax: 120,
  },
]
