export { examineCandidates as default } from '../src/core/external/govern-examination.ts'
