import { Command } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { formatNames } from '../../conformance/reports/report-files.ts';
import { reportOption } from './report-option.ts';

const parsed = (text: string) =>
  new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addOption(reportOption(formatNames))
    .parse(['--report', text], { from: 'user' })
    .opts().report;

it.each([
  [
    'json=a.json,html=b.html',
    [
      ['json', 'a.json'],
      ['html', 'b.html'],
    ],
  ],
  [
    'json=a b.json, html=b.html',
    [
      ['json', 'a b.json'],
      ['html', 'b.html'],
    ],
  ],
])('%s', (text, files) => {
  expect(parsed(text)).toEqual(files.map(([format, path]) => ({ format, path })));
});

it.each(['json=a.json,pdf=b.pdf', 'json=out/p,q.json', 'json=a.json,html', 'json=a.json,'])('%s is refused', (text) => {
  expect(() => parsed(text)).toThrow();
});
