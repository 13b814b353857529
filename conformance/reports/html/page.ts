import { createHash } from 'node:crypto';
import { html, type Markup } from './markup.ts';
import { script } from './script.ts';
import { style } from './style.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded from anywhere, and only this page's own script and style run. */
const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;

/** A self-contained page, light and dark, that reads without scripts too. */
export const page = (title: string, body: Markup): string =>
  html`<!doctype html>
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
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;

/** Chips and a search field that choose among the laws below them. @param outcomes how many rows have each */
export const filters = (outcomes: Readonly<Record<string, number>>): Markup =>
  html`<ul class="chips" aria-label="Filter by outcome">${chips(outcomes)}</ul>
<div class="filters"><input id="text" type="search" placeholder="Search ids, rules, messages" aria-label="Search ids, rules, messages"><button type="button" id="expand" aria-pressed="false">Open all</button><span id="shown" class="soft small" role="status"></span></div>`;

function chips(outcomes: Readonly<Record<string, number>>): Markup[] {
  return Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(
      ([outcome, count]) =>
        html`<li><button type="button" class="chip ${outcome}" value="${outcome}" aria-pressed="false"><b>${count}</b> ${outcome.replace('-', ' ')}</button></li>`,
    );
}
