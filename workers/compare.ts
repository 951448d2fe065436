export { compareTexts as default } from '../src/core/similarity/near-duplicate.ts'
