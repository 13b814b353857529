/** The looks of the load report, light and dark, from 320 pixels on. */
export const style = `
:root { color-scheme: light dark; --bg: #f6f7f9; --card: #fff; --ink: #1b2330; --soft: #5b6675; --line: #dfe3e9; --accent: #2457c5;
  --fail: #b3261e; --fail-bg: #fdeceb; --warn: #8a5300; --warn-bg: #fdf1dc; --pass: #17693a; --pass-bg: #e5f5ea; --seen: #0b5e7d; --seen-bg: #e2f2f8; }
@media (prefers-color-scheme: dark) { :root { --bg: #12161c; --card: #1a2029; --ink: #e4e8ee; --soft: #9aa6b5; --line: #2d3643; --accent: #8ab0ff;
  --fail: #ff9d96; --fail-bg: #42191a; --warn: #f5c26b; --warn-bg: #3a2b10; --pass: #84dba4; --pass-bg: #14331f; --seen: #8fd3ee; --seen-bg: #10303c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 4px 0 6px; }
h2 { font-size: 1.15rem; margin: 32px 0 10px; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0 0 8px; padding-left: 20px; } li { overflow-wrap: anywhere; }
.soft { color: var(--soft); } .small { font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; }
.verdict { border-left: 8px solid var(--warn); } .verdict.keeps { border-left-color: var(--pass); } .verdict.breaks { border-left-color: var(--fail); }
.verdict p:last-child { margin: 0; }
figure { margin: 0; } svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
svg .grid { stroke: var(--line); } svg .admitted { fill: var(--accent); } svg .throttled { fill: var(--fail); opacity: .75; } svg .unknown { fill: var(--soft); }
svg .band { fill: var(--pass); opacity: .16; } svg .bound { stroke: var(--pass); stroke-dasharray: 6 5; fill: none; stroke-width: 1.5; }
svg .curve { stroke: var(--accent); fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; font-size: .875rem; }
.key { display: inline-block; width: 14px; height: 14px; border-radius: 3px; margin-right: 7px; vertical-align: -2px; }
.key.admitted { background: var(--accent); } .key.throttled { background: var(--fail); opacity: .75; } .key.unknown { background: var(--soft); }
.key.band { background: var(--pass); opacity: .3; } .key.bound, .key.curve { height: 0; width: 22px; border-radius: 0; vertical-align: 4px; }
.key.bound { border-top: 2px dashed var(--pass); } .key.curve { border-top: 3px solid var(--accent); }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; } table.card { display: table; border-collapse: separate; border-spacing: 0; padding: 8px 20px; }
th, td { text-align: left; padding: 8px 14px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; } th { color: var(--soft); font-weight: 600; font-size: .875rem; white-space: nowrap; }
tr > :last-child { padding-right: 0; } .more { margin-top: 10px; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } table.card td:first-child { width: 7.5rem; white-space: nowrap; }
.badge { display: inline-block; min-width: 6rem; padding: 1px 8px; border-radius: 6px; text-align: center; font-size: .8125rem; font-weight: 600; }
.badge.pass { color: var(--pass); background: var(--pass-bg); } .badge.fail { color: var(--fail); background: var(--fail-bg); }
.badge.inconclusive { color: var(--warn); background: var(--warn-bg); } .badge.observed { color: var(--seen); background: var(--seen-bg); }
.wide-only { display: block; } .narrow-only { display: none; }
@media (max-width: 640px) { main { padding: 14px 12px 60px; } h1 { font-size: 1.3rem; } .card { padding: 14px; } .wide-only { display: none; } .narrow-only { display: block; }
  table.card td, table.card tr { display: block; width: 100%; border: 0; padding: 2px 0; } table.card tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  .keys thead { display: none; } .keys tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
  .keys td { display: flex; justify-content: space-between; gap: 14px; padding: 2px 0; border: 0; text-align: right; } .keys td:first-child { display: block; text-align: left; }
  .keys td::before { content: attr(data-label); color: var(--soft); font-size: .875rem; } .keys td:first-child::before { content: none; }
  table.card tr:last-child, .keys tr:last-child { border-bottom: 0; padding-bottom: 0; } }
`;
