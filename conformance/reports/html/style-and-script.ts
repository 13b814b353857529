/** Style of the conformance and certification pages, in addition to the style of all report pages. */
export const style = `
.conformant.part { --tone: var(--warn); }
.share { display: block; width: 100%; height: 8px; border-radius: 4px; margin: 2px 0 12px; } .share rect { fill: var(--tone); } .share :is(.not-run, .waived) { --tone: var(--edge); } .share .not-selected { --tone: var(--line); } .share .inconclusive { opacity: .5; }
.filters { display: flex; gap: 10px; margin: 14px 0 6px; flex-wrap: wrap; align-items: center; } html:not(.js) .filters { display: none; }
.filters input { flex: 1 1 200px; min-width: 0; font: inherit; font-size: .9375rem; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; padding: 6px 10px; min-height: 38px; }
details.law { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 3px 0; }
details.law > summary { display: grid; grid-template-columns: 1fr auto; gap: 2px 14px; align-items: baseline; padding: 5px 14px; cursor: pointer; font-size: .9375rem;
  list-style: none; }
details.law > summary:hover { background: color-mix(in srgb, var(--accent) 6%, transparent); border-radius: 8px; }
details.law[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
details.section { margin: 6px 0; } .section > p { margin-top: 8px; } .section > table { width: auto; } .section > figure { margin-top: 10px; } .section:has(> summary > h2) { margin-top: 26px; } .section > summary > .soft { font-size: .875rem; }
details.section > summary { cursor: pointer; padding: 8px 4px; border-bottom: 1px solid var(--line); }
details.section > summary :is(h2, h3) { display: inline; margin: 0 10px 0 0; } .section > section:not(:has(.law:not([hidden]))) { display: none; }
.name { min-width: 0; overflow-wrap: anywhere; }
.name b { font-weight: 600; margin-right: 8px; }
.answer { display: block; } .log > summary { color: var(--soft); font-size: .875rem; } .log { margin: 2px 0; }
.finding { border-left: 4px solid var(--tone, var(--fail)); margin: 0 0 12px; }
.finding > section + section { border-top: 1px solid var(--line); margin-top: 14px; padding-top: 9px; }
.finding h3 { margin: 0 0 4px; font-size: 1rem; overflow-wrap: anywhere; }
.facts { margin: 0 0 6px; } .causes { margin: 0 0 12px; padding-left: 38px; } .causes .small { color: var(--tone, var(--soft)); white-space: nowrap; } li > .log > summary { color: inherit; font-size: inherit; }
/* The triangle stands in place of the bullet, which paper has. */
@media screen { li:has(> .log) { list-style: none; } li > .log { margin-left: -1em; } }
.got { font-size: 1.125em; } .got b { color: var(--tone, var(--fail)); } .got span { color: var(--soft); } .got em { font-style: normal; }
.finding h3 .badge { margin-right: 6px; } :is(.finding h3, .legend) > .badge { min-width: 0; } .exchange :is(pre, .tree) { max-height: 14rem; } .exchange :is(pre, .tree):has(mark), :not(section) > .code:has(+ .exchange) > pre { max-height: none; } h4 { margin: 12px 0 4px; font-size: .875rem; color: var(--soft); }
.inside { padding: 14px; }
dl { display: grid; grid-template-columns: 7rem 1fr; gap: 4px 14px; margin: 0 0 12px; }
dt { color: var(--soft); font-size: .875rem; padding-top: 1px; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
details.exchange + .got { margin-top: 22px; padding-top: 14px; border-top: 1px solid var(--line); }
details.exchange { border-left: 3px solid var(--line); margin: 6px 0; padding-left: 12px; }
details.exchange > summary { cursor: pointer; overflow-wrap: anywhere; padding: 3px 0; font-size: .9375rem; }
details.exchange > summary code { font-size: .8125rem; }
.status { font-weight: 600; } .whole > :last-child { border-color: var(--fail); border-left-width: 4px; }
.figures { display: flex; flex-wrap: wrap; gap: 4px 40px; } .figures b { font-size: 1.6rem; } .figures span { white-space: nowrap; } .fail > b { color: var(--tone); }
.plot { display: grid; grid-template-columns: 2.2rem 1fr; padding-top: 6px; } .plot svg { height: 140px; overflow: visible; } .strip line { stroke-width: 1.5; }
.strip .admitted { fill: var(--accent); } .strip .throttled { stroke: var(--edge); } .strip .moment { stroke: var(--fail); stroke-width: 3; } .strip .declared { stroke: var(--edge); stroke-dasharray: 2 4; }
.strip .proof { fill: var(--fail); } .strip rect { stroke: var(--card); } .strip .grid { stroke: var(--line); }
.key.bound { border-top: 2px dashed var(--pass); } .key.declared { border-top: 2px dotted var(--edge); } .key:is(.admitted, .throttled, .proof, .moment) { width: 10px; height: 14px; border: 0; background: var(--accent); } .key:is(.throttled, .moment) { width: 3px; background: var(--edge); } .key:is(.proof, .moment) { background: var(--fail); }
@media (max-width: 640px) {
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; }
  details.law > summary { padding: 9px 12px; }
  .name b { display: block; }
  .filters input { flex-basis: 100%; } .more { display: none; }
}
@media print {
  main { zoom: .82; } h4 { margin-top: 4px; } .code { margin-bottom: 6px; }
  .filters, :is(.law, .exchange) .log, .screen { display: none; } .figures b { font-size: 1.25rem; }
  .card.finding { border-top: 3px solid var(--tone, var(--fail)); border-radius: 0; padding-top: 8px; margin-top: 10px; }
  details.exchange { border: 0; padding: 0; } .card.causes { padding-left: 26px; margin: 0; }
  /* The others are in cards and lists above. */
  .law:not(.pass, .observed), .section:has(.law):not(:has(.law.pass, .law.observed)) { display: none; }
  details.law { border: 0; margin: 0; } details.law > summary { gap: 0 6px; padding: 1px 0; font-size: .75rem; line-height: 1.3; }
  .law code, .law .small { font-size: inherit; }
  .answer:has(.answer) { display: flex; flex-wrap: wrap; gap: 0 22px; }
  details.section { margin: 2px 0; } details.section > summary { padding: 2px 0; }
  .exchange .code:not(:has(mark)):has(+ .code mark) { display: none; }
  :is(details.section, .log)::details-content { content-visibility: visible; block-size: auto; }
}
`;

/** The search, and links that unfold their target. The page is readable without this script. */
export const script = `
(() => {
  const laws = [...document.querySelectorAll('details.law')];
  const sections = document.querySelectorAll('details.section:has(details.law)');
  const text = document.getElementById('text');
  const filter = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const law of laws) law.hidden = !words.every((word) => law.dataset.search.toLowerCase().includes(word));
    for (const section of sections) {
      const count = section.querySelectorAll('details.law:not([hidden])').length;
      section.hidden = count === 0;
      section.querySelector('b').textContent = count;
      // Whether it was open before the search.
      section.was ??= section.open;
      section.open = words.length > 0 || section.was;
      if (words.length === 0) section.was = null;
    }
    document.getElementById('shown').textContent = laws.filter((law) => !law.hidden).length + ' of ' + laws.length;
  };
  text.addEventListener('input', filter);
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target?.matches('details.law')) return;
    for (let at = target; at; at = at.parentElement.closest('details'))
      Object.assign(at, { hidden: false, open: true });
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  filter();
  follow();
})();
`;
