import { describe } from 'vitest'
import { pagesIn, testTyping } from '../harness/typed-pages.ts'

describe('documented recipes', async () => {
  testTyping(await pagesIn('docs/how-to'))
})
