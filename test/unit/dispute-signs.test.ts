import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fittedSigns } from '../../bench/fit/signs.ts'
import { disputeBetween } from '../../src/core/similarity/dispute.ts'
import { ODDS_BEFORE, SIGNS } from '../../src/core/similarity/dispute-likely.ts'

const PAIRS = readFileSync(new URL('../../bench/fit/pairs.txt', import.meta.url), 'utf8')

describe('signs of a dispute', () => {
  test('their weights are those that the fit finds', () => {
    expect({ before: ODDS_BEFORE, weights: SIGNS.map(({ weight }) => weight) }).toEqual(fittedSigns(PAIRS))
  })

  test.each([
    ['what several hold of', 'Greta sells lamps by the mill.', 'Greta sells carpets by the mill.'],
    ['a case of its own', 'The hall of Kiel costs 200.', 'For members the hall of Kiel costs 90.'],
    ['what is denied of another', 'Mr Lund reads the meters.', 'Mr Lund does not read the letters.'],
    ['only and nobody but', 'Nobody but Rosa may open the old safe.', 'Rosa may open the old safe.'],
    ['parts of a name', 'Ann Rossi of Kiel pays by card.', 'Ann Silva of Kiel pays by cheque.'],
    [
      'what one says of himself',
      "I'm not sure about the number right now",
      "I don't have the number right now",
    ],
    [
      'an idea',
      'The tape shelf of Kiel is in the cellar.',
      'There is an idea to move the tape shelf of Kiel.',
    ],
    ['when and in what', 'The glee club sings in Latin.', 'The glee club sings on Sundays.'],
    ['where it is and what it has', 'The sewing kit is in the galley.', 'The sewing kit has needles.'],
    ['where one lives and where he works', 'Greta lives in Kiel.', 'Greta works in Bonn.'],
    ['what is sold beside the rest', 'The chandler sells rope.', 'The chandler now sells paint.'],
    ['what was gained', 'Greta owns the carding machine.', "Greta's carding machine now has a hood."],
  ])('weigh nothing of %s', (_, earlier, later) => {
    expect(disputeBetween(earlier, later)).toBeNull()
  })

  test('a statement that is certain to dispute comes before one that is likely to', () => {
    expect(disputeBetween('Wrap trays in foil.', 'Wrap trays in paper, not foil.')?.kind).toBe('no_longer')
  })
})
