import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { pageAt, pagesIn, testTyping } from '../harness/typed-pages.ts'

/** What a page may have readers do that no test does: it needs a registry, a clone, a container, a database or another machine. */
const BY_HAND =
  /^(?:npm (?:ci|i|install|start|test)\b|docker |sudo |npx memgov serve$|memgov (?:init|doctor)\b|#|(?:export )?MEMGOV_(?:STORE|CLUSTER_SECRET)=|createdb |psql |npx memgov (?:keys create --operator|migrate |serve .*--node-url))/

const shorter = [pageAt('README.md'), ...(await pagesIn('docs/tutorial'))]
const pages = [...shorter, ...(await pagesIn('docs/how-to'))]

describe('documented commands', () => {
  testTyping(shorter)

  test.each(pages)(
    '%s leaves by hand only what needs a registry, a container or another machine',
    (_, { byHand }) => {
      const lines = byHand.flatMap(({ text }) => text.trim().split('\n'))
      expect(lines.filter((line) => line !== '' && !BY_HAND.test(line))).toEqual([])
    },
  )

  test.each(pages)('%s shows code that a parser takes', (_, { fragments, files }) => {
    const code = [...fragments, ...files.filter(({ note }) => /\.m?[jt]s$/.test(note))]
    const wrong = code.flatMap(({ text }) => {
      const { diagnostics = [] } = ts.transpileModule(text, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
      })
      return diagnostics.map(({ messageText }) => [text, messageText])
    })
    expect(wrong).toEqual([])
  })
})
