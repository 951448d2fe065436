import fc from 'fast-check'
import { SEED } from './scale.ts'

// The same values in every run, so that no check fails by chance; another TEST_SEED looks at others.
fc.configureGlobal({ seed: SEED })
