import { COLOURS } from './plot.ts'

const LIGHT = ['#0b62c4', '#c2410c', '#15803d', '#9333ea', '#b91c1c', '#0e7490', '#a16207', '#be185d']
const DARK = ['#6cb0ff', '#ff9d66', '#5fd38a', '#c79bff', '#ff8a8a', '#56d0e6', '#e6c254', '#ff8cc0']

function colours(palette: readonly string[]): string {
  return Array.from({ length: COLOURS }, (_, at) => `--c${at}:${palette[at] ?? palette[0]}`).join(';')
}

const LINES = Array.from(
  { length: COLOURS },
  (_, at) =>
    `polyline.c${at}{stroke:var(--c${at})}circle.c${at}{fill:var(--c${at})}.dot.c${at}{background:var(--c${at})}`,
).join('')

/** Follows the light or dark choice of the reader's system. */
export const STYLE = [
  `:root{color-scheme:light dark;--back:#fff;--text:#1c1e21;--soft:#5c6370;--rule:#dfe2e7;--good:#15803d;--bad:#b91c1c;${colours(LIGHT)}}`,
  `@media(prefers-color-scheme:dark){:root{--back:#14161a;--text:#e6e8eb;--soft:#9aa3af;--rule:#32363d;--good:#5fd38a;--bad:#ff8a8a;${colours(DARK)}}}`,
  'body{background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem}',
  'h2{margin-top:2.5rem;border-top:1px solid var(--rule);padding-top:1rem}',
  '.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}',
  'th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--rule);white-space:nowrap}',
  'th:first-child,td:first-child{text-align:left;white-space:normal}th{color:var(--soft);font-weight:600}',
  '.soft{color:var(--soft)}.met{color:var(--good)}.missed,.broke{color:var(--bad)}',
  '.plots{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 440px;max-width:640px}figcaption{font-weight:600}',
  'svg{width:100%;height:auto}polyline{fill:none;stroke-width:1.8}.grid{stroke:var(--rule)}',
  'svg text{fill:var(--soft);font-size:11px}.label,.middle{text-anchor:middle}.end{text-anchor:end}',
  '.legend{list-style:none;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.85rem}',
  '.dot{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.4em}',
  LINES,
].join('\n')
