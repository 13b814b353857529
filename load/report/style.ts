/** Styles of load reports, beside those that all reports share. */
export const style = `
svg .admitted { fill: var(--accent); } svg .throttled { fill: var(--fail); opacity: .75; } svg .unknown { fill: var(--soft); }
.key.admitted, .key.throttled, .key.unknown, .key.band { width: 14px; height: 14px; border: 0; border-radius: 3px; margin-bottom: 2px; }
.key.admitted { background: var(--accent); } .key.throttled { background: var(--fail); opacity: .75; } .key.unknown { background: var(--soft); }
.key.band { background: var(--pass); opacity: .3; }
td, th { overflow-wrap: anywhere; } td.number, th { white-space: nowrap; } td.outcome { width: 7.5rem; }
.more { margin-top: 10px; }
.runs { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
.runs h1 { font-size: 1.3rem; } .runs h2 { margin-top: 24px; }
.figures th { white-space: normal; } .figures { table-layout: fixed; }
td.better { color: var(--pass); } td.worse { color: var(--fail); }
@media (max-width: 640px) {
  .runs { grid-template-columns: minmax(0, 1fr); gap: 0; } .runs header { margin-bottom: 10px; } .runs h2 { margin-top: 16px; }
  .keys thead { display: none; } .keys tr, .rules tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
  .keys td { display: flex; justify-content: space-between; gap: 14px; padding: 2px 0; border: 0; text-align: right; } .keys td:first-child { display: block; text-align: left; }
  .keys td::before { content: attr(data-label); color: var(--soft); font-size: .875rem; } .keys td:first-child::before { content: none; }
  .rules td { display: block; width: 100%; border: 0; padding: 2px 0; }
  .keys tr:last-child, .rules tr:last-child { border-bottom: 0; padding-bottom: 0; }
}
`;
