import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  LANGUAGES,
  MEMORY_KINDS,
  QUESTION_FORMS,
  type QualityQuestion,
  readQualitySet,
} from '../../bench/recall/quality-set.ts'

const folder = pathToFileURL(join(import.meta.dirname, '../../bench/quality/'))
const { memories, questions } = readQualitySet(folder)
const textOf = new Map(memories.map(({ id, text }) => [id, text]))

/** Words as they are written, in small letters. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  )
}

function bare(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}

function ofForm(form: QualityQuestion['form']): readonly QualityQuestion[] {
  return questions.filter((question) => question.form === form)
}

describe('the quality set', () => {
  test('is large enough', () => {
    expect(memories.length).toBeGreaterThanOrEqual(300)
    expect(questions.length).toBeGreaterThanOrEqual(100)
  })

  test('has an id of its own for each memory, and no text twice', () => {
    const plain = (text: string): string => wordsOf(text).join(' ')
    expect(new Set(memories.map(({ id }) => id)).size).toBe(memories.length)
    expect(new Set(memories.map(({ text }) => plain(text))).size).toBe(memories.length)
    expect(new Set(questions.map(({ text }) => plain(text))).size).toBe(questions.length)
  })

  test('answers each question with memories that it holds, each named once', () => {
    for (const { answers, text } of questions) {
      expect(answers.length, text).toBeGreaterThan(0)
      expect(new Set(answers).size, text).toBe(answers.length)
      expect(
        answers.filter((answer) => !textOf.has(answer)),
        text,
      ).toEqual([])
    }
  })

  test('asks no question in the very words of a memory', () => {
    const memoryTexts = memories.map(({ text }) => text.toLowerCase())
    for (const { text } of questions) {
      expect(memoryTexts.filter((memory) => memory.includes(text.toLowerCase()))).toEqual([])
    }
  })

  test('has memories and questions in every language, four of them with fifteen questions or more', () => {
    const count = (language: string, rows: readonly { readonly language: string }[]): number =>
      rows.filter((row) => row.language === language).length
    for (const language of LANGUAGES) {
      expect(count(language, memories), language).toBeGreaterThanOrEqual(10)
      expect(count(language, questions), language).toBeGreaterThanOrEqual(4)
    }
    expect(LANGUAGES.filter((language) => count(language, questions) >= 15).length).toBeGreaterThanOrEqual(4)
    expect(memories.every(({ language }) => LANGUAGES.includes(language))).toBe(true)
    expect(questions.every(({ language }) => LANGUAGES.includes(language))).toBe(true)
  })

  test('has every kind of memory and every form of question, and no other', () => {
    expect(new Set(memories.map(({ kind }) => kind))).toEqual(new Set(MEMORY_KINDS))
    expect(new Set(questions.map(({ form }) => form))).toEqual(new Set(QUESTION_FORMS))
  })

  test('a question with a typo has a word that no memory has', () => {
    const known = new Set(memories.flatMap(({ text }) => wordsOf(text)))
    for (const { text } of ofForm('typo')) {
      expect(
        wordsOf(text).some((word) => word.length > 3 && !known.has(word)),
        text,
      ).toBe(true)
    }
  })

  test('a question without accents has a word that its answer has with them', () => {
    for (const { text, answers } of ofForm('accents')) {
      const written = new Set(answers.flatMap((answer) => wordsOf(textOf.get(answer) ?? '')))
      const accented = new Set([...written].filter((word) => bare(word) !== word).map(bare))
      expect(
        wordsOf(text).some((word) => accented.has(word) && !written.has(word)),
        text,
      ).toBe(true)
    }
  })

  test('a question across memories has several answers, any other question one', () => {
    for (const { form, answers, text } of questions) {
      if (form === 'across') expect(answers.length, text).toBeGreaterThan(1)
      else expect(answers.length, text).toBe(1)
    }
  })
})
