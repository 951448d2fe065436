export { knn as default } from '../src/core/search/knn.ts'
