import { withoutControls } from '../../spec/text/terminal-text.ts';
import { connectionHeaders } from '../history/curl.ts';
import { failuresIn } from './failures.ts';
import type { Report, ReportExchange } from './report-schema.ts';

/** The failures as requests for the HTTP clients of editors. Secrets are taken from the environment. */
export function httpReport(untrusted: Report): string {
  const report = withoutControls(untrusted);
  const scripts = failuresIn(report).flatMap(({ row, others, evidence }) => {
    if (evidence === undefined) return [];
    const { expected, observed, notes, requests } = evidence;
    const ids = [row, ...others].map(({ id }) => id).join(', ');
    const words = oneLine(`${ids}: expected ${expected}; got ${[observed, ...notes].join('; ')}`);
    return requests.map((one, i) => requestOf(one, `${words}, ${i + 1} of ${requests.length}`));
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
  const headers = Object.entries(requestHeaders).filter(([name]) => !connectionHeaders.has(name.toLowerCase()));
  const variables = (text: string) => text.replace(/\$([A-Z][A-Z0-9_]*)/g, '{{$1}}');
  return [
    `### ${words}`,
    `${method} ${variables(url)}`,
    ...headers.map(([name, value]) => `${name}: ${variables(value)}`),
    ...(requestBody === null ? [] : ['', requestBody]),
    '',
  ].join('\n');
}
