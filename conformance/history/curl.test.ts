import { expect, it } from 'vitest';
import { tryDefect } from '../proof/trials/trial.ts';
import { curlOf } from './curl.ts';

const { history } = await tryDefect(null, { rules: new Set(['upload/put-content-type-must-match']) });
const puts = history.exchanges.filter(({ operation }) => operation === 'storage');

it('shows the Content-Type that was sent, and none if none was sent', () => {
  const types = new Set(puts.map(({ requestHeaders }) => requestHeaders['content-type']));
  expect(types).toContain(undefined);
  expect(types.size).toBeGreaterThan(3);
  for (const put of puts) {
    const { 'content-type': type = '' } = put.requestHeaders;
    expect(curlOf(put)).toContain(type === '' ? "-H 'content-type:' --data" : `-H 'content-type: ${type}' --data`);
  }
});
