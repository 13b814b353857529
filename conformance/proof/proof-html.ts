import { type MutationRecord, scoreOf } from './mutation-record.ts';
import { type ProofMatrix, tallyOf } from './proof-matrix.ts';

const cell = 5;

/** The matrix as one HTML file without anything beside it: a picture of checks against defects, then the lists. */
export function proofHtml(matrix: ProofMatrix, mutation: MutationRecord | null): string {
  const { defects, variants, checks, seeds, networks } = matrix;
  const tally = tallyOf(matrix);
  const facts: readonly (readonly [string, string])[] = [
    [`${tally.killed} / ${tally.defects}`, 'defects killed by their own rule'],
    [String(tally.defects - tally.killed), 'survivors or noise'],
    [String(tally.falseAlarms), `false alarms in ${tally.runs} legal runs`],
    [`${tally.noticed} / ${tally.deviations}`, 'answers to open questions noticed'],
    [`${tally.survived} / ${tally.invisible}`, 'invisible defects survived, as they must'],
    [String(tally.unproven), `of ${checks.length} checks that nothing makes fail`],
    ...(mutation === null ? [] : missed(mutation)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kill matrix</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Kill matrix</h1>
<p>Each column is a defect, planted alone into a correct mock. Each row is a conformance check. A defect counts as killed
only when a check of the rule that it breaks fails.</p>
<dl class="facts">${facts.map(([count, what]) => `<div><dt>${html(what)}</dt><dd>${html(count)}</dd></div>`).join('')}</dl>
<ul class="legend" aria-label="Colours">
<li><i class="k"></i>fails, its own rule</li><li><i class="c"></i>fails, another rule</li><li><i class="i"></i>cannot tell</li>
<li><i class="s"></i>defect that must survive</li><li><i class="x"></i>survivor or noise</li>
</ul>
<div class="scroll" tabindex="0" role="region" aria-label="Picture of the matrix, scrolls">${picture(matrix)}</div>
<h2>Defects</h2>
<p><label>Search <input type="search" id="search" placeholder="defect, rule or check"></label> <output id="found"></output></p>
<div class="scroll" tabindex="0" role="region" aria-label="Defects, scrolls">
<table id="defects"><thead><tr><th>Defect</th><th>What it does</th><th>Breaks</th><th>Fate</th><th>Failing checks</th></tr></thead>
<tbody>${defects.map(defectRow).join('\n')}</tbody></table>
</div>
<h2>Legal variants</h2>
<p>${seeds} seeds over ${networks.length} networks each (${html(networks.join(', '))}). None may fail.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Legal variants, scrolls">
<table><thead><tr><th>Variant</th><th>What it does</th><th>Runs</th><th>Conformant</th><th>False alarms</th></tr></thead>
<tbody>${variants
    .map(
      ({ id, does, runs: count, conformant, falseAlarms }) =>
        `<tr><td>${html(id)}</td><td>${html(does)}</td><td>${count}</td><td>${conformant}</td><td${falseAlarms.length > 0 ? ' class="bad"' : ''}>${falseAlarms.length}</td></tr>`,
    )
    .join('\n')}</tbody></table>
</div>
</main>
<script>${script}</script>
</body>
</html>
`;
}

/** The assertions that cannot be taken away without the proof failing. */
const missed = (mutation: MutationRecord) =>
  (['assertion', 'control'] as const).map((kind) => {
    const { noticed, all } = scoreOf(mutation, kind);
    return [`${noticed} / ${all}`, `${kind}s of checks whose absence shows`] as const;
  });

/** Rectangles where there is something to see; areas of checks and of defects have lines between them. */
function picture({ checks, defects }: ProofMatrix): string {
  const rows = new Map(checks.map(({ id }, index) => [id, index]));
  const [left, top] = [88, 17];
  const [width, height] = [left + defects.length * cell + 2, top + checks.length * cell + 12];
  const marks = defects.flatMap(({ killedBy, collateral, inconclusive, fate, survives }, column) => {
    const mark = (kind: string) => (id: string) => {
      const y = rows.get(id);
      return y === undefined ? [] : [`<use href="#${kind}" x="${left + column * cell}" y="${top + y * cell}"/>`];
    };
    const odd = survives ? 's' : fate === 'killed' ? null : 'x';
    return [
      ...(odd
        ? [`<rect class="${odd}" x="${left + column * cell}" y="${top}" width="${cell}" height="${height}"/>`]
        : []),
      ...inconclusive.flatMap(mark('i')),
      ...collateral.flatMap(mark('c')),
      ...killedBy.flatMap(mark('k')),
    ];
  });
  const across = areas(checks).map(
    ({ name, at, size }) =>
      `<line x1="0" x2="${width}" y1="${top + at * cell}" y2="${top + at * cell}"/>${size * cell > 12 ? `<text x="2" y="${top + at * cell + 11}">${html(name)}</text>` : ''}`,
  );
  const down = areas(defects).map(
    ({ name, at, size }) =>
      `<line x1="${left + at * cell}" x2="${left + at * cell}" y1="0" y2="${height}"/>${size * cell > 40 ? `<text x="${left + at * cell + 2}" y="12">${html(name)}</text>` : ''}`,
  );
  const definition = (id: string) => `<rect id="${id}" class="${id}" width="${cell - 0.5}" height="${cell - 0.5}"/>`;
  const names = JSON.stringify({
    checks: checks.map(({ id }) => id),
    defects: defects.map(({ id }) => id),
    left,
    top,
    cell,
  });
  return `<svg id="picture" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${checks.length} checks against ${defects.length} defects; the table below says the same in words"><defs>${['k', 'c', 'i'].map(definition).join('')}</defs>${across.join('')}${down.join('')}${marks.join('')}</svg><p id="here" aria-hidden="true"></p><script type="application/json" id="names">${names.replaceAll('<', '\\u003c')}</script>`;
}

function areas(all: readonly { readonly id: string }[]) {
  const found: { name: string; at: number; size: number }[] = [];
  for (const [at, { id }] of all.entries()) {
    const name = id.slice(0, id.indexOf('/'));
    const last = found.at(-1);
    if (last?.name === name) last.size++;
    else found.push({ name, at, size: 1 });
  }
  return found;
}

function defectRow({ id, does, breaks, fate, survives, killedBy, collateral }: ProofMatrix['defects'][number]): string {
  const list = (ids: readonly string[], what: string) =>
    ids.length === 0 ? '' : `<details><summary>${ids.length} ${what}</summary>${ids.map(html).join('<br>')}</details>`;
  const bad = fate !== 'killed' && !survives ? ' class="bad"' : '';
  const checks = `${list(killedBy, 'of this rule')}${list(collateral, 'of others')}`;
  return `<tr><td>${html(id)}</td><td>${html(does)}</td><td>${html(breaks)}</td><td${bad}>${survives ? `${fate}, as it must` : fate}</td><td>${checks}</td></tr>`;
}

const html = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#59636e;--line:#d5dae0;--k:#0a6b3d;--c:#e08a00;--i:#c3cad3;--s:#d9e6fb;--x:#ffd7d5;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--back:#14171b;--text:#e6e9ec;--dim:#9aa4af;--line:#333a42;--k:#3fcf86;--c:#e0a33f;--i:#49525c;--s:#1e3050;--x:#5a2320;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1680px;margin:0 auto;padding:24px 16px}h1{font-size:24px;margin:0 0 8px}h2{font-size:18px;margin:32px 0 8px}p{max-width:75ch;margin:0 0 12px}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0}.facts div{border:1px solid var(--line);border-radius:8px;padding:8px 12px;display:flex;flex-direction:column-reverse;justify-content:flex-end}
dd{margin:0;font-size:22px;font-weight:600;font-variant-numeric:tabular-nums}dt{color:var(--dim);font-size:13px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;margin:0 0 8px;font-size:13px}.legend i{display:inline-block;width:12px;height:12px;margin-right:6px;vertical-align:-1px}
.k{fill:var(--k);background:var(--k)}.c{fill:var(--c);background:var(--c)}.i{fill:var(--i);background:var(--i)}.s{fill:var(--s);background:var(--s)}.x{fill:var(--x);background:var(--x)}
.scroll{overflow:auto;border:1px solid var(--line);border-radius:8px;max-height:85vh;position:relative}.scroll:focus-visible{outline:2px solid var(--k)}
svg{display:block;width:100%;min-width:1200px;height:auto}svg text{font-size:12px;fill:var(--dim)}svg line{stroke:var(--line);stroke-width:.5}
#here{position:sticky;left:0;bottom:0;margin:0;padding:4px 8px;background:var(--back);border-top:1px solid var(--line);font-size:12px;min-height:26px;max-width:none}
table{border-collapse:collapse;width:100%;font-size:13px;min-width:760px}th,td{text-align:left;vertical-align:top;padding:6px 10px;border-bottom:1px solid var(--line)}th{position:sticky;top:0;background:var(--back)}
td:first-child{white-space:nowrap}.bad{color:var(--bad);font-weight:600}input{font:inherit;padding:4px 8px;width:min(320px,100%);background:var(--back);color:var(--text);border:1px solid var(--line);border-radius:6px}summary{cursor:pointer}
`;

const script = `
const names=JSON.parse(document.getElementById('names').textContent),here=document.getElementById('here'),picture=document.getElementById('picture');
picture.addEventListener('pointermove',event=>{const box=picture.getBoundingClientRect();
const scale=picture.viewBox.baseVal.width/box.width,at=(place,first)=>Math.floor((place*scale-first)/names.cell);
const column=at(event.clientX-box.left,names.left),row=at(event.clientY-box.top,names.top);
here.textContent=[names.checks[row],names.defects[column]].filter(Boolean).join('  \\u00d7  ')});
const search=document.getElementById('search'),rows=[...document.querySelectorAll('#defects tbody tr')];
search.addEventListener('input',()=>{const wanted=search.value.toLowerCase();let shown=0;
for(const row of rows){row.hidden=!row.textContent.toLowerCase().includes(wanted);if(!row.hidden)shown++}
document.getElementById('found').textContent=shown+' of '+rows.length});
`;
