/** Colours differ in lightness as well, so that they are told apart without seeing colour. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--back:#fff;--bar:#4a7ab5;--yard:#b6bec8;--met:#1a7f37;--missed:#b42318;--warn:#fff4d6;--warnink:#5c4400}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa5b1;--line:#3a434d;--back:#12161b;--bar:#6ea3dd;--yard:#5a646f;--met:#4fc26b;--missed:#ff8a7d;--warn:#3a2f0b;--warnink:#f2dc9a}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.2rem 0 .4rem}
a{color:inherit}code{font:13px ui-monospace,monospace}
.verdict{font-size:1.4rem;font-weight:600;margin:.3rem 0 1rem;padding-left:.7rem;border-left:6px solid}
.met{color:var(--met)}.missed{color:var(--missed)}.verdict.met,.verdict.missed{border-color:currentColor}
.warning{background:var(--warn);color:var(--warnink);padding:.5rem .8rem;border-radius:4px}
.soft,small{color:var(--soft)}small{display:block;font-weight:400;font-size:12.5px}
.wide{overflow-x:auto;margin:.6rem 0}table{border-collapse:collapse;width:100%;min-width:40rem}
th,td{padding:.35rem .6rem;border-top:1px solid var(--line);vertical-align:top;text-align:left}
th{font-weight:500;width:36%}.value{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
.yardstick th,.yardstick .value{color:var(--soft)}.bar{width:30%}tr:target{outline:2px solid var(--bar)}
.track{display:block;position:relative;height:.8rem;margin-top:.3rem;background:color-mix(in srgb,var(--line) 40%,transparent);border-radius:2px}
.fill{position:absolute;inset:0 auto 0 0;background:var(--bar);border-radius:2px}.fill.missed{background:var(--missed)}.fill.met{background:var(--met)}
.yardstick .fill{background:var(--yard)}.spread{position:absolute;top:50%;height:1px;background:var(--ink)}
.mark{display:inline-block;width:2px;height:1.1rem;background:var(--ink);vertical-align:middle}.track .mark{position:absolute;top:-.15rem}
@media print{a{text-decoration:none}}
`
