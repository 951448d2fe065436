import type { Rule } from './rule.ts'

/** The laws of content screening. */
export const SCREENING_LAWS: readonly Rule[] = [
  { id: 'SC1', law: 'Every span of a finding lies inside the text.' },
  { id: 'SC2', law: 'The same text and context give the same findings, in order of place.' },
  { id: 'SC3', law: 'Harmless sentences before a text never remove a finding.' },
  { id: 'SC4', law: 'A zero-width character put anywhere into a harmless text is found.' },
  { id: 'SC5', law: 'An instruction override is found in any case, spacing and with look-alike characters.' },
  {
    id: 'SC6',
    law: 'Text of runs is lowered only by an override, by hidden characters and by forged structure.',
  },
  { id: 'SC7', law: 'Execution text has exactly the applicable findings of the same text elsewhere.' },
  { id: 'SC8', law: 'What is found in a text is found in its base64.' },
  { id: 'SC9', law: 'The sentence of a finding holds no word of the text.' },
  { id: 'SC10', law: 'A finding late in a long text is found as one at its start.' },
  {
    id: 'SC11',
    law: 'An order that a text about attacks, tests or filters, or a log line, only quotes is no finding, unless the text does anything more.',
  },
  {
    id: 'SC12',
    law: 'No prompt, packet or claim row holds the value of a secret; of what rehydrate answers only the full mode does.',
  },
  { id: 'SC13', law: 'A memory without a kind whose text is lines of a log is an event.' },
  {
    id: 'SC14',
    law: 'A rule, preference, procedure or project context of the user may tell the assistant how to act and answer.',
  },
]
