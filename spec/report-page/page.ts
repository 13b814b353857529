import { createHash } from 'node:crypto';
import { isRuleId, ruleById } from '../rules.ts';
import { html, type Markup, prose } from './markup.ts';
import { theme } from './theme.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface Page {
  readonly title: string;
  readonly body: Markup;
  /** Styles in addition to the styles that all reports share. */
  readonly style?: string;
  readonly script?: string;
}

/** A self-contained page, light and dark. It loads nothing, runs only its own script, and can be read without it. */
export function page({ title, body, style: own = '', script }: Page): string {
  const style = `${theme}${common}${own}@page { @bottom-left { content: "${title.replace(/[^\w .,:;()/+%−-]/g, ' ')}" } }`;
  const policy = `default-src 'none'; style-src ${hash(style)};${script === undefined ? '' : ` script-src ${hash(script)};`} base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${body}
</main>
${script === undefined ? null : html`<script>${{ markup: script }}</script>`}
</body>
</html>
`.markup;
}

/** What to do about broken rules; nothing where they are only observed. */
export const remediesFor = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => (isRuleId(id) && ruleById(id).remedy) || [])),
];

/** Remedies, as a page shows them. */
export function toMend(remedies: readonly string[]): Markup | null {
  const texts = remedies.map(prose);
  if (texts.length > 1)
    return html`<p><b>To mend it:</b></p><ul class="mend">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
  return texts.length === 0 ? null : html`<p class="mend"><b>To mend it:</b> ${texts}</p>`;
}

/** The styles that all report pages share, light and dark, for widths from 320 pixels. */
const common = `
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 4px 0 6px; }
h2 { font-size: 1.15rem; margin: 32px 0 10px; }
h3 { font-size: .95rem; margin: 18px 0 6px; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 20px; }
li { overflow-wrap: anywhere; } ul.mend { margin-bottom: 8px; }
a { color: var(--accent); text-underline-offset: .25em; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; }
.verdict { border-left: 8px solid var(--tone, var(--edge)); }
.card > p:last-child { margin: 0; }
.badge { min-width: 6.9rem; text-align: center; white-space: nowrap; }
.copy { font: inherit; font-size: .8125rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: 3px 10px; cursor: pointer; }
html:not(.js) .copy { display: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
tr > :last-child { padding-right: 0; }
th { color: var(--soft); font-weight: 600; font-size: .875rem; }
td.date { white-space: nowrap; }
.number + :not(.number) { padding-left: 14px; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { margin-top: 10px; }
.wide-only { display: block; } .narrow-only { display: none; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
svg .grid { stroke: var(--line); }
svg .band { fill: var(--pass); opacity: .16; } svg .bound { stroke: var(--pass); stroke-dasharray: 6 5; fill: none; stroke-width: 1.5; }
svg .curve { stroke: var(--accent); fill: none; stroke-width: 2.5; stroke-linejoin: round; }
/* A shadow at the foot of a box says that there is more below; at the end the lines hide it. */
.code > :is(pre, .tree) { border-radius: 7px; max-height: 30rem; background: linear-gradient(transparent, var(--code) 60%) 0 calc(100% + 2px) / 100% 44px no-repeat local,
  radial-gradient(farthest-side at 50% 100%, color-mix(in srgb, var(--ink) 26%, transparent), transparent) bottom / 100% 14px no-repeat; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 6px; padding: 0; list-style: none; font-size: .875rem; }
.key { display: inline-block; width: 22px; height: 0; border-top: 3px solid; margin: 0 6px 4px 0; vertical-align: middle; }
.key.curve { border-color: var(--accent); }
@media (max-width: 640px) {
  main { padding: 14px 12px 60px; }
  h1 { font-size: 1.3rem; }
  .card { padding: 14px; }
  .wide-only { display: none; } .narrow-only { display: block; }
  /* The button is above the code, which has the whole width. */
  .code { position: relative; margin-top: 34px; } .code > button { position: absolute; right: 0; bottom: calc(100% + 4px); margin: 0; }
  h4 + .code, h4 + div > .code:first-child, h2 + .code { margin-top: 6px; }
}
@media print {
  body { background: none; font-size: 13px; line-height: 1.4; } .small { font-size: 12px; } table { font-size: 12px; } .code > :is(pre, .tree) { max-height: none; background: none; font-size: 10.5px; padding: 6px 10px; }
  main { max-width: none; padding: 0; }
  h2 { margin-top: 20px; }
  .card:not(.verdict, figure, section) { padding: 0; border: 0; }
  .table { overflow: visible; } th, td { padding-block: 2px; }
  .copy, button, input { display: none; }
}
`;
