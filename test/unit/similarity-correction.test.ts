import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CORRECTION_MIN,
  correctionCues,
  corrects,
  hasCorrectionCue,
  mayHaveCue,
} from '../../src/core/similarity/correction.ts'
import { readText } from '../../src/core/similarity/reading.ts'
import { scaled } from '../harness/scale.ts'
import { anyText } from '../support/similar-texts.ts'

describe('correction cues', () => {
  test.each([
    'Corrected: retries are five',
    'The timeout was revised to 60s',
    'This supersedes the note on retries',
    'Later evidence shows that the cache is cold',
    'We no longer deploy by hand',
    'Do not use the old runner',
    "Don't use the old runner",
    'The deploy plan is obsolete',
    'That earlier claim is wrong',
    'New logs contradict it: contradicted by the trace',
    'Der Port wird nicht mehr benutzt',
    'Der Plan ist veraltet',
    "L'ancien serveur n'est plus utilisé",
    'Remplacé par le nouveau serveur',
    'Ya no se usa el puerto',
    'O valor foi corrigido',
    'Порт больше не используется',
    'Значение исправлено',
    '更正：端口是 9090',
    'もはや使わない',
  ])('%j has one', (text) => {
    expect(hasCorrectionCue(text)).toBe(true)
  })

  test.each([
    'Deploy to staging after the tests',
    'The plan has not been updated',
    'The note was never corrected',
    'The bread is stale',
    'Two tests failed on main',
    'Der Plan wurde nicht aktualisiert',
    'План не обновлён',
    '',
  ])('%j has none', (text) => {
    expect(hasCorrectionCue(text)).toBe(false)
  })

  test('the negation inside one cue does not deny the next', () => {
    const { cues } = corrects('The old runner is no longer used, replaced by the new one', 'The old runner')
    expect(cues).toEqual(['no longer', 'replaced', 'old'])
  })
})

describe('corrections', () => {
  test('two cues and three common words are enough, one cue is not', () => {
    const older = 'The upload worker retries three times'
    expect(corrects('Corrected and revised: the upload worker retries five times', older)).toEqual({
      corrects: true,
      confidence: 0.715,
      cues: ['corrected', 'revised'],
      relation: 'supersedes',
    })
    expect(corrects('Corrected: the upload worker retries five times', older)).toMatchObject({
      corrects: false,
      confidence: 0.655,
    })
  })

  test('a common path counts, and so do rival paths', () => {
    const moved = 'Updated: session handling lives in src/auth/session.ts'
    expect(corrects(moved, 'Session handling is in src/auth/session.ts').confidence).toBe(0.69)
    expect(corrects(moved, 'Session handling is in lib/session.ts').confidence).toBe(0.71)
    expect(corrects(moved, 'Session handling is in docs/guide.md').corrects).toBe(false)
  })

  test('words for an earlier state count up to a tenth', () => {
    const older = 'The staging deploy runs at night'
    const one = corrects('The staging deploy no longer runs at night as before', older)
    const many = corrects('The old, former, previous, earlier staging deploy no longer runs at night', older)
    expect(one.confidence).toBe(0.72)
    expect(many.confidence).toBe(0.78)
  })

  test('the strongest relation of the cues is named', () => {
    const older = 'The plan says that the staging deploy runs at night'
    const relation = (text: string) => corrects(text, older).relation
    expect(relation('Staging deploy plan replaced')).toBe('supersedes')
    expect(relation('Staging deploy plan is wrong, replaced')).toBe('invalidates')
    expect(relation('Staging deploy plan is wrong, contradicted by the trace')).toBe('contradicts')
  })

  test('other languages correct as well', () => {
    const cases = [
      ['Korrigiert: der Upload Worker wartet nicht mehr', 'Der Upload Worker wartet'],
      ['Corrigé : le serveur upload ne répond plus ici', 'Le serveur upload répond'],
      ['Исправлено: сервер загрузки больше не отвечает', 'Сервер загрузки отвечает'],
    ] as const
    for (const [newer, older] of cases) expect(corrects(newer, older).corrects).toBe(true)
  })

  test('unrelated texts and a text and itself are not corrected', () => {
    const text = 'The deploy plan is obsolete and no longer used'
    expect(corrects(text, 'Anna likes tea with honey')).toMatchObject({ corrects: false, confidence: 0 })
    expect(corrects(text, text.toUpperCase())).toMatchObject({ corrects: false, confidence: 0 })
  })

  test('no correction without a cue, none below the threshold, never above one', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (a, b, isJoined) => {
        const newer = isJoined ? `${a} no longer, corrected ${b}` : a
        const { corrects: isCorrection, confidence, cues } = corrects(newer, b)
        expect(isCorrection).toBe(confidence >= CORRECTION_MIN)
        expect(confidence).toBeLessThanOrEqual(1)
        if (!hasCorrectionCue(newer))
          expect({ isCorrection, cues }).toEqual({ isCorrection: false, cues: [] })
      }),
      { numRuns: scaled(500) },
    )
  })
})

describe('the look for a cue before a text is read', () => {
  const PIECES = `
    no longer not any more anymore later new newer evidence mis mise à jour neue erkenntnisse nicht mehr n'est ne plus do don't
    dont use using stop ya usar utilizar utilisez pas nouvelle preuve nueva evidencia counter contrary to corrected Corrected's
    supersedes l'invalide invalide obsolete STALE failed plan note step 5 v2 two deploys src/no-longer.ts new_evidence don\`t
    don’t corrected\u0001 cor\u00adrected 不再 больше не . ? = :`
    .split(/ +|\n/)
    .filter((piece) => piece !== '')
  const text = fc
    .array(
      fc.tuple(
        fc.constantFrom(...PIECES),
        fc.constantFrom(' ', '-', '_', "'", '/', '.', '\n', '', '5', ', '),
      ),
      {
        maxLength: 10,
      },
    )
    .map((pieces) => pieces.map(([piece, joint]) => piece + joint).join(''))

  test('passes over no text with a cue, whatever joins its words', () => {
    fc.assert(
      fc.property(fc.oneof(text, anyText), (said) => {
        if (correctionCues(said, readText(said)).length > 0) expect(mayHaveCue(said)).toBe(true)
      }),
      { numRuns: 4_000 },
    )
  })

  test('passes over plain prose without one', () => {
    for (const said of ['Deploy to staging after the tests', 'The bread is not for the dogs to use now'])
      expect(mayHaveCue(said)).toBe(false)
  })
})
