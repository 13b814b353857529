/** The looks of the page, light and dark, from 320 pixels on. */
export const style = `
:root {
  color-scheme: light dark;
  --bg: #f6f7f9; --card: #fff; --ink: #1b2330; --soft: #5b6675; --line: #dfe3e9; --code: #f1f3f6; --accent: #2457c5;
  --fail: #b3261e; --fail-bg: #fdeceb; --warn: #8a5300; --warn-bg: #fdf1dc; --pass: #17693a; --pass-bg: #e5f5ea;
  --seen: #0b5e7d; --seen-bg: #e2f2f8; --none: #5b6675; --none-bg: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12161c; --card: #1a2029; --ink: #e4e8ee; --soft: #9aa6b5; --line: #2d3643; --code: #11151b; --accent: #8ab0ff;
    --fail: #ff9d96; --fail-bg: #42191a; --warn: #f5c26b; --warn-bg: #3a2b10; --pass: #84dba4; --pass-bg: #14331f;
    --seen: #8fd3ee; --seen-bg: #10303c; --none: #a8b3c1; --none-bg: #262e39;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 4px 0 6px; }
h2 { font-size: 1.15rem; margin: 32px 0 10px; }
h3 { font-size: .95rem; margin: 18px 0 6px; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 20px; }
li { overflow-wrap: anywhere; }
a { color: var(--accent); }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; }
.verdict { border-left: 8px solid var(--none); }
.verdict.conformant { border-left-color: var(--pass); }
.verdict.non-conformant { border-left-color: var(--fail); }
.verdict.incomplete { border-left-color: var(--warn); }
.verdict p:last-child { margin: 0; }
.badge { display: inline-block; min-width: 6.9rem; padding: 1px 8px; border-radius: 6px; text-align: center; font-size: .8125rem;
  font-weight: 600; color: var(--none); background: var(--none-bg); white-space: nowrap; }
.fail > summary .badge, .chip.fail, .badge.fail, .error > summary .badge, .chip.error { color: var(--fail); background: var(--fail-bg); }
.warn > summary .badge, .chip.warn, .inconclusive > summary .badge, .chip.inconclusive { color: var(--warn); background: var(--warn-bg); }
.pass > summary .badge, .chip.pass { color: var(--pass); background: var(--pass-bg); }
.observed > summary .badge, .chip.observed { color: var(--seen); background: var(--seen-bg); }
.chip.not-run, .chip.not-selected { color: var(--none); background: var(--none-bg); }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0 0; padding: 0; list-style: none; }
.chip { border: 2px solid transparent; border-radius: 999px; padding: 3px 12px; font: inherit; font-size: .9375rem; }
.chip b { font-weight: 700; }
.js .chip { cursor: pointer; }
.js .chip:hover, .chip[aria-pressed=true] { border-color: currentColor; }
.filters { display: none; gap: 10px; margin: 14px 0 0; flex-wrap: wrap; align-items: center; }
.js .filters { display: flex; }
.filters input, .filters select, .filters button { font: inherit; font-size: .9375rem; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; padding: 6px 10px; min-height: 38px; }
.filters input { flex: 1 1 200px; min-width: 0; }
.filters select { max-width: 100%; }
.filters button { cursor: pointer; }
details.law { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 3px 0; }
details.law > summary { display: grid; grid-template-columns: auto 1fr auto; gap: 2px 14px; align-items: baseline; padding: 5px 14px; cursor: pointer; font-size: .9375rem;
  list-style: none; }
details.law > summary::-webkit-details-marker { display: none; }
details.law > summary:hover { background: color-mix(in srgb, var(--accent) 6%, transparent); border-radius: 8px; }
details.law[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
details.section { margin: 6px 0; }
details.section > summary { cursor: pointer; padding: 8px 4px; border-bottom: 1px solid var(--line); }
details.section > summary h3 { display: inline; margin: 0 10px 0 0; }
.name { min-width: 0; overflow-wrap: anywhere; }
.name b { font-weight: 600; margin-right: 8px; }
.answer { display: block; }
.mend { list-style: none; padding: 0; } .mend li { margin: 0 0 8px; } .mend .badge { margin-right: 6px; }
.badge.warn, .badge.inconclusive { color: var(--warn); background: var(--warn-bg); }
h2 .small { font-weight: 400; margin-left: 8px; }
.inside { padding: 14px; }
.message { white-space: pre-line; }
dl { display: grid; grid-template-columns: 7rem 1fr; gap: 4px 14px; margin: 0 0 12px; }
dt { color: var(--soft); font-size: .875rem; padding-top: 1px; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.compare { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin: 0 0 12px; }
.compare > div { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; min-width: 0; overflow-wrap: anywhere; }
.compare h3 { margin: 0 0 2px; color: var(--soft); font-weight: 600; font-size: .8125rem; }
.fail .compare > .observed { border-color: var(--fail); }
.warn .compare > .observed { border-color: var(--warn); }
.shell { position: relative; margin: 0 0 10px; }
.shell pre { padding-right: 84px; }
pre { margin: 0; padding: 10px 12px; background: var(--code); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap;
  overflow-wrap: anywhere; max-height: 26rem; overflow-y: auto; }
.copy { display: none; position: absolute; top: 6px; right: 6px; font: inherit; font-size: .8125rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; }
.js .copy { display: block; }
details.exchange { border-left: 3px solid var(--line); margin: 6px 0; padding-left: 12px; }
details.exchange > summary { cursor: pointer; overflow-wrap: anywhere; padding: 3px 0; font-size: .9375rem; }
details.exchange > summary code { font-size: .8125rem; }
.status { font-weight: 600; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: .875rem; }
td.date { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.picture { margin: 0; }
.picture svg { display: block; width: 100%; height: auto; }
.picture figcaption { margin-top: 10px; }
.wide-only { display: block; } .narrow-only { display: none; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
svg .grid { stroke: var(--line); } svg .axis { stroke: var(--soft); }
svg .band { fill: var(--pass); opacity: .16; } svg .bound { stroke: var(--pass); stroke-dasharray: 6 5; fill: none; stroke-width: 1.5; }
svg .offered { stroke: var(--soft); stroke-dasharray: 2 4; fill: none; stroke-width: 1.5; }
svg .admitted { stroke: var(--accent); fill: none; stroke-width: 2.5; stroke-linejoin: round; }
svg .throttled { stroke: var(--fail); stroke-width: 1.5; opacity: .7; } svg .proof { fill: var(--fail); opacity: .13; }
svg .moment { stroke: var(--fail); stroke-width: 2; }
.key { display: inline-block; width: 22px; height: 0; border-top: 3px solid; margin: 0 6px 4px 0; vertical-align: middle; }
.key.a { border-color: var(--accent); } .key.o { border-top-style: dotted; border-color: var(--soft); }
.key.b { border-top-style: dashed; border-color: var(--pass); } .key.t { width: 3px; height: 14px; border: 0; background: var(--fail); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 6px; padding: 0; list-style: none; font-size: .875rem; }
@media (max-width: 640px) {
  main { padding: 14px 12px 60px; }
  h1 { font-size: 1.3rem; }
  .card { padding: 14px; }
  .compare { grid-template-columns: 1fr; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; }
  details.law > summary { grid-template-columns: auto 1fr; padding: 9px 12px; } .count { text-align: right; }
  .name { grid-column: 1 / -1; grid-row: 2; }
  .name b { display: block; }
  .filters input { flex-basis: 100%; }
  .wide-only { display: none; } .narrow-only { display: block; }
}
@media print { .filters, .copy { display: none !important; } body { background: none; } }
`;
