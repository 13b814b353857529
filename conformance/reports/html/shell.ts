import { html } from '../../../spec/report-page/markup.ts';

/** A shell command with a copy button. */
export const shell = (command: string) =>
  html`<div class="shell"><pre><code>${command}</code></pre><button type="button" class="copy">copy</button></div>`;
