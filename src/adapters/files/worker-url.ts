/**
 * Where a worker's built script lies. A worker thread of Node cannot load TypeScript, so it always comes from
 * `dist/workers/`, also when the caller itself runs from the sources (in tests).
 */
export function workerUrl(name: string): URL {
  const fromSources = import.meta.url.endsWith('.ts')
  const folder = fromSources ? '../../../dist/workers/' : '../../../workers/'
  return new URL(`${folder}${name}.js`, import.meta.url)
}
