/** One question: a program of its own under `dist/bench` that prints its outcome, as JSON with `--json`. */
export interface Question {
  readonly name: string
  /** A heading for who does not know the name. */
  readonly title: string
  readonly measures: string
  /** What the figure is held against, so that it means something on another machine. */
  readonly yardstick: string
  readonly goals: readonly string[]
  /** Whether it reads a folder of texts that `--data` or BENCH_DATA names. */
  readonly takesData: boolean
  /** Whether `--only` chooses some of its parts. */
  readonly hasParts?: boolean
}

/** Every question of the suite, in the order in which they are asked. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'loop',
    title: 'One client over HTTP',
    measures: 'a guide, a durable observe and a govern request over HTTP, one client, and a guide embedded',
    yardstick: 'an echo of the same size, the bare ranking and one flush of the disk, in the same rounds',
    goals: [
      'guide at most 1.5 × echo + ranking + flush',
      'its p99 at most 3 × that of the echo + that of the flush',
      'observe at most 1.6 × echo + flush',
      'guide embedded at most 300 µs',
      'govern with record at most 1.3 × that without',
    ],
    takesData: false,
  },
  {
    name: 'observe',
    title: 'Many clients',
    measures:
      'a durable observe over 256 connections, embedded with 4096 in flight, and the tail of a mixed load',
    yardstick:
      'a bare echo; deciding, encoding and indexing alone; the echo under the same load: all in turn',
    goals: [
      'at least 0.4 of the echo over 256 connections',
      'at least 0.5 of deciding, encoding and indexing alone',
      'p99.9 at 70 % of saturation at most 20 × that of the echo',
    ],
    takesData: false,
  },
  {
    name: 'cold-scopes',
    title: 'A scope that is not in memory',
    measures: 'a guide on a scope that is not in memory, of 100 000 scopes of which a tenth is',
    yardstick: 'the same scope asked again at once',
    goals: ['p99 on a cold scope at most 25 ms'],
    takesData: false,
  },
  {
    name: 'memory',
    title: 'Size of a memory',
    measures: 'bytes in memory and on disk for a memory of 200 characters and for an actor',
    yardstick: 'the process before anything is stored',
    goals: ['at most 1 600 bytes a memory, in memory and resident'],
    takesData: false,
  },
  {
    name: 'keys',
    title: 'Cost of keys',
    measures: 'the check of a key, by what is wrong with it, and a guide and an observe over HTTP with a key',
    yardstick: 'the check of a right key, and the same requests without keys, in turn',
    goals: [
      'right, wrong and unknown ids within 1.1 × of each other',
      'p50 with keys at most 1.05 × that without',
    ],
    takesData: false,
  },
  {
    name: 'postgres',
    title: 'A store on PostgreSQL',
    measures: 'a fenced append, an observe and a guide over HTTP, and many callers, over PostgreSQL',
    yardstick:
      'a bare insert of the same bytes, an echo of the same answers, the ranking alone, and a data folder, in turn',
    goals: [
      'a fenced append at most 1.4 × a bare insert',
      'observe at most 1.6 × echo + bare insert, guide 1.6 × these + ranking',
      '64 callers over 16 scopes at least 0.5 of a data folder',
    ],
    takesData: false,
  },
  {
    name: 'postgres-erase',
    title: 'An erasure in a large shared store',
    measures: 'erasures in a database of 1 GiB, and observes of other scopes beside them',
    yardstick: 'the same observes before the first erasure',
    goals: [],
    takesData: false,
  },
  {
    name: 'fleet',
    title: 'Many nodes, simulated',
    measures:
      'what 1 to 32 nodes over one database answer, how evenly, and what the death of one does, by a simulation with measured constants',
    yardstick: '1, 2 and 4 real nodes on this machine beside the same simulation',
    goals: ['requests a second and p50 of the simulation at most 25 % off those of real nodes'],
    takesData: false,
    hasParts: true,
  },
  {
    name: 'tails',
    title: 'Cost of readers of events',
    measures: 'guides over HTTP while 16 streams of events are open on their scope',
    yardstick: 'the same guides without a stream, round by round in turn',
    goals: ['p99 with 16 readers at most 1.1 × that without'],
    takesData: false,
  },
  {
    name: 'start',
    title: 'Start of an empty service',
    measures: 'from the start of the process to the first answer on an empty store',
    yardstick: 'an empty Node process and a bare Fastify',
    goals: ['at most 400 ms'],
    takesData: false,
  },
  {
    name: 'ways-in',
    title: 'Cost of MCP and hooks',
    measures: 'start, guide and observe over HTTP of the service with MCP and hooks that nobody uses',
    yardstick: 'the same service bundled without them, in turn',
    goals: ['start, guide and observe at most 1.03 × without'],
    takesData: false,
  },
  {
    name: 'restart',
    title: 'Restart with a large scope',
    measures: 'from the start of the process to the first guide of a large scope',
    yardstick: 'an empty folder',
    goals: ['first guide of 100 000 memories at most 2 s'],
    takesData: false,
  },
  {
    name: 'large',
    title: 'A million memories, and 100 000 scopes',
    measures:
      'a million memories in one scope and 100 000 scopes: start to first guide, event loop meanwhile',
    yardstick: 'an idle event loop at the same time',
    goals: [
      'first guide at most 10 s and 5 s',
      'event loop p99 at most 3 ms above an idle one, at most 50 ms',
    ],
    takesData: false,
  },
  {
    name: 'largest',
    title: 'The largest requests',
    measures:
      'for how long the largest legal request of each operation, and the first one after a start, holds the event loop',
    yardstick: 'processor time of the serving thread between two turns of its loop',
    goals: ['at most 50 ms'],
    takesData: false,
  },
  {
    name: 'append',
    title: 'The journal alone',
    measures: 'acknowledged records a second at the journal port',
    yardstick: 'a bare group commit of the same records through the same thread',
    goals: ['at least 0.8 of the bare group commit'],
    takesData: false,
  },
  {
    name: 'measure-trace',
    title: 'One measurement',
    measures: 'how long one measurement keeps the serving thread busy',
    yardstick: 'processor time of the thread beside its busy time',
    goals: ['at most 5 ms'],
    takesData: false,
  },
  {
    name: 'recall',
    title: 'Finding the right memory',
    measures: 'how much of the evidence of questions a guide finds, and the index beside other engines',
    yardstick: 'other search engines on the same texts, where they are installed',
    goals: [
      'recall of the dialogues at least 0.76 at 10 and 0.94 at 200',
      'see docs/internals/performance.md',
    ],
    takesData: true,
    hasParts: true,
  },
  {
    name: 'judgement',
    title: 'Right decisions',
    measures:
      'whether what reaches use_now is right: contradictions, records, instructions, a project, blame, failed runs',
    yardstick: 'texts of which it is known what should happen to them',
    goals: [
      'of two statements that cannot both hold the older is noticed in 0.6, with a precision of 0.95',
      'unrelated texts put each other in doubt in at most 0.01 of records, 0.005 of recorded texts',
      'the memory that a task needs is on use_now in 0.9, every failed run is warned of',
      'the other goals stand beside their figures',
    ],
    takesData: true,
    hasParts: true,
  },
  {
    name: 'recall-sets',
    title: 'Finding the right memory, in many sets',
    measures:
      'how much of the evidence of the questions of many sets a guide finds, and what foreign questions are shown',
    yardstick: 'search libraries on the same texts in the same run, where they are installed',
    goals: [
      'behind the best library on no set',
      'dialogues at least 0.80 at 10, 0.70 without run and speaker',
    ],
    takesData: true,
    hasParts: true,
  },
  {
    name: 'recorder',
    title: 'Replay of an old guide',
    measures: 'replay of a guide many turns back',
    yardstick: 'a guide itself',
    goals: ['p99 at most 50 ms'],
    takesData: false,
  },
  {
    name: 'walk',
    title: 'Files of a request',
    measures: 'the files and functions that a warm guide and a warm observe enter, embedded',
    yardstick: 'none: they are counted',
    goals: ['a guide and an observe enter at most 65 files each'],
    takesData: false,
  },
  {
    name: 'pages',
    title: 'Lists for operators',
    measures: 'a page of 200 memories out of 100 000 for an operator, and a search that finds nothing',
    yardstick: 'writing the same page as JSON',
    goals: [
      'first and last page at most 20 ms, and 20 × their JSON',
      'a search holds the event loop for at most 50 ms at a time',
    ],
    takesData: false,
  },
  {
    name: 'screens',
    title: 'Screens of the console',
    measures: 'all reads of each screen over 100 000 memories and 10 000 guides, asked at once',
    yardstick: 'the bounds of a screen',
    goals: [
      'each screen at most 500 ms',
      'they hold the event loop for at most 50 ms at a time',
      'no answer above 64 kB',
    ],
    takesData: false,
  },
  {
    name: 'screening',
    title: 'Content screening',
    measures: 'what content screening lets through by family of text, and what it costs',
    yardstick: 'linear growth with the text',
    goals: ['10 kB of any text at most 1 ms of processor time'],
    takesData: true,
  },
  {
    name: 'sqlite',
    title: 'Beside SQLite',
    measures: 'observe, guide and feedback over SQLite as one would build it',
    yardstick: 'the same loop embedded, durable on the same disk',
    goals: ['at least 5 × its throughput', 'p99 of a guide at most a quarter of it'],
    takesData: false,
  },
]

/** What `--list` prints. */
export function listText(): string {
  return QUESTIONS.map(({ name, measures, yardstick, goals }) =>
    [
      name,
      `  measures   ${measures}`,
      `  yardstick  ${yardstick}`,
      `  goals      ${goals.length === 0 ? 'none: a figure to watch' : goals.join('; ')}`,
    ].join('\n'),
  ).join('\n')
}
