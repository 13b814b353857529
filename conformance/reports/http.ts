import { withoutControls } from '../../spec/text/terminal-text.ts';
import { byCause, evidenceOf } from './evidence-of.ts';
import type { Report, ReportExchange } from './report-schema.ts';

/** Headers that a client sets itself. */
const ofTheClient = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
]);

const placeholder = /\$([A-Z][A-Z0-9_]*)/g;

/** The failures as requests for the HTTP clients of editors. Secrets are taken from the environment. */
export function httpReport(untrusted: Report): string {
  const report = withoutControls(untrusted);
  const failed = report.rows.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const scripts = byCause(failed).flatMap((rows) => {
    const [row] = rows;
    const [first] = row === undefined ? [] : evidenceOf(report, row);
    if (first === undefined) return [];
    const { expected, observed, counted, others, exchange } = first;
    const words = oneLine(
      `${rows.map(({ id }) => id).join(', ')}: expected ${expected}; observed ${observed}${counted ? ` (${counted})` : ''}`,
    );
    return [...others, exchange].map((one, i) => requestOf(one, `${words}, ${i + 1} of ${others.length + 1}`));
  });
  const text = scripts.join('\n');
  const names = [...new Set([...text.matchAll(/\{\{([A-Z0-9_]+)\}\}/g)].map(([, name]) => name))];
  return [
    `# ${oneLine(report.sentence)}`,
    ...names.map((name) => `@${name} = {{$processEnv ${name}}}`),
    '',
    text === '' ? '# nothing failed' : text,
    '',
  ].join('\n');
}

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ');

function requestOf({ method, url, requestHeaders, requestBody }: ReportExchange, words: string): string {
  const headers = Object.entries(requestHeaders).filter(([name]) => !ofTheClient.has(name.toLowerCase()));
  const variables = (text: string) => text.replace(placeholder, '{{$1}}');
  return [
    `### ${words}`,
    `${method} ${variables(url)}`,
    ...headers.map(([name, value]) => `${name}: ${variables(value)}`),
    ...(requestBody === null ? [] : ['', requestBody]),
    '',
  ].join('\n');
}
