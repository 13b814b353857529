/** The colours of reports and console, light and dark, and the style of code in them. */
export const theme = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f5f6f8, #0e1013); --card: light-dark(#ffffff, #15181d); --code: light-dark(#fafbfc, #101318);
  --ink: light-dark(#1a1f27, #e7eaef); --soft: light-dark(#566070, #a3adbb);
  --line: light-dark(#d9dde3, #323943); --edge: light-dark(#858f9e, #6a7482);
  --accent: light-dark(#0b5bd3, #7db2ff); --accent-bg: light-dark(#e8f0fd, #1d2b42);
  --fail: light-dark(#a3162a, #ff98a3); --fail-bg: light-dark(#fdeceb, #42191a);
  --warn: light-dark(#7d4a00, #f0bd6a); --pass: light-dark(#11652f, #79d69a);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: .87em/1.5 var(--mono); font-weight: inherit; }
summary { cursor: pointer; }
th { text-align: left; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
/* What something tells by its colour, and that colour as a background. */
.badge, .alert { --tone: light-dark(#3a424e, #c6ccd5); background: light-dark(oklch(from var(--tone) .92 calc(c / 2) h), oklch(from var(--tone) .28 calc(c / 2) h)); }
.badge { color: var(--tone); display: inline-block; padding: 0 8px; border-radius: 6px; font-size: .8125rem; line-height: 1.6; font-weight: 600; text-decoration: none; }
:is(.fail, .error, .bad, .alert, .danger, .wrong, .needed, .delete, .breaks, .non-conformant, .not-certified) { --tone: var(--fail); }
:is(.pass, .good, .documented, .get, .keeps, .conformant, .certified) { --tone: var(--pass); }
:is(.warn, .inconclusive, .assumed, .cannot-tell, .incomplete) { --tone: var(--warn); }
:is(.observed, .badge.reference, .put, .post) { --tone: var(--accent); }
/* The button has a place of its own beside the code. */
.code { display: flex; align-items: flex-start; margin: 0 0 10px; text-align: left; background: var(--code); border: 1px solid var(--line);
  border-radius: 8px; }
.card > .code:last-child { margin-bottom: 0; }
.code > :first-child { flex: 1; min-width: 0; }
.code > button { margin: 5px 5px 5px auto; }
@media (max-width: 480px) { .code > button { margin: 4px 4px 0 0; padding: 0 6px; min-height: 0; } }
pre, .pre, .tree { margin: 0; padding: 10px 12px; max-height: 26rem; overflow-y: auto; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
  font: .8125rem/1.5 var(--mono); }
@media (max-width: 480px) { pre, .pre { padding-inline: 8px; font-size: .75rem; } }
pre code { font: inherit; }
/* Only what is longer than a line breaks. */
.option { display: inline-block; max-width: 100%; }
mark { color: var(--fail); background: var(--fail-bg); }
mark span { color: inherit; }
.tree { padding-left: 3.5ch; }
.json > summary { cursor: pointer; list-style: none; }
.json > summary::before { content: "▾"; display: inline-block; width: 2ch; margin-left: -2ch; color: var(--soft); }
.json:not([open]) > summary::before { content: "▸"; }
.json:not([open]) > summary::after { content: attr(data-rest); color: var(--soft); }
.json-parts, .json-line { display: block; } .json-parts { padding-left: 3ch; }
.json-name { color: light-dark(#6a3aa8, #c9a5ff); } .json-string { color: var(--pass); } .json-number { color: var(--accent); }
.json-boolean, .json-null { color: var(--warn); }
@page { margin: 14mm; font: 10px system-ui, sans-serif; color: #566070; @bottom-right { content: counter(page) " of " counter(pages); } }
@media print {
  :root { color-scheme: light; }
  *, ::before, ::after { print-color-adjust: exact; }
  summary { list-style: none; } summary::-webkit-details-marker { display: none; }
  /* A head stays with what it heads. What has a border, or is one statement, is whole where a page has room for it; sections and lists break. */
  h1, h2, h3, h4, thead, .heading, .legend, summary, :is(summary, h2) + p, h2 ~ p.soft, .finding :is(p, ul):not(:has(+ .screen)), section > .code:has(+ :is(p, .exchange)) { break-after: avoid; }
  h1, h2, h3, h4, summary, figure, tr, li, p, .law, .alert, .verdict, .exchange, .code { break-inside: avoid; }
  p, pre { orphans: 3; widows: 3; }
  .code { display: block; }
  pre, .pre, .tree { max-height: none; overflow: visible; line-height: 1.4; }
  /* Of long code the beginning; what has a mark is folded around it. */
  .long:not(:has(mark)) > :first-child { max-height: calc(15em + 10px); overflow: hidden; }
  .long:not(:has(mark))::before { content: "The beginning. The page on a screen has all of it."; display: block; padding: 4px 12px; border-bottom: 1px dashed var(--edge); color: var(--soft); }
  .code > button, .json > summary::before { display: none; }
  .tree:not(:has(mark)) .json::details-content { content-visibility: visible; block-size: auto; }
  .tree:not(:has(mark)) .json:not([open]) > summary::after { content: none; }
}
`;
