import type { Rule } from './rule.ts'

/** What guides of one run owe to each other, and what workspaces say of memory. */
export const SESSION_LAWS: readonly Rule[] = [
  {
    id: 'P9',
    law: 'A guide that names a run leaves out exactly the lines that the run printed for its consumer and that are the same, and names them; with restart it prints them again.',
  },
  {
    id: 'P10',
    law: 'Handles number on through the guides of a run and consumer that leave out what was shown; any guide of the run takes them, and evidence counts for the guide that printed the line.',
  },
  {
    id: 'P11',
    law: 'In brief lines only what may be used now says anything of memory but its type and date.',
  },
  { id: 'W1', law: 'What is said of files never raises a surface and changes no facet.' },
  {
    id: 'W2',
    law: 'A file counts only for memory that names it, was written before and in another run, and that its reporter sees and has no less authority than.',
  },
  {
    id: 'W3',
    law: 'What was said of files for others gives the answers of an actor in which it was not said.',
  },
]
