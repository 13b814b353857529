import { createHash } from 'node:crypto';
import { html, type Markup } from './markup.ts';
import { style as common } from './style.ts';

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
  const style = common + own;
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
