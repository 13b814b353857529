import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Case } from './case.ts';
import { formsIn } from './forms.ts';

const said = (owner: Case['owner'], body: string) =>
  [...formsIn({ operation: 'getSite', owner } as Case, { status: 404, body } as Exchange, {} as Deployment)].map(
    ({ says }) => says,
  );

it('a router may refuse an id of another form in its own words, but an error body must have its form', () => {
  expect(said('malformed', '{"message":"no Route matched with those values"}')).toEqual([]);
  expect(said('malformed', '{"error":{"code":7}}')).toEqual(['suspected']);
  expect(said('nobody', '{"message":"no Route matched with those values"}')).toEqual(['suspected']);
});

it('a gateway refuses a key or a scope in JSON of its own, and the service in an error body', () => {
  const refused = (asked: Partial<Case>, body: string) => {
    const about = { operation: 'getSite', owner: 'ours', label: null, mutation: null, lacks: null, ...asked } as Case;
    const all = [...formsIn(about, { status: 403, body } as Exchange, {} as Deployment)];
    return all.filter(({ rule }) => rule === 'errors/body').length;
  };
  const own = '{"message":"No API key found in request","request_id":"5b1"}';
  expect(refused({ caller: 'none' }, own)).toBe(0);
  expect(refused({ caller: 'none' }, '{"error":"Access to this API has been disallowed"}')).toBe(0);
  expect(refused({ caller: 'none' }, '{"error":{"code":7}}')).toBe(1);
  expect(refused({ caller: 'valid', lacks: 'named' }, '{"error":"insufficient_scope"}')).toBe(1);
  // So an authorizer of a gateway does, which may know the scopes.
  expect(refused({ caller: 'valid', lacks: 'named' }, '{"Message":"explicit deny"}')).toBe(0);
});

it('siteId is the id that was asked, in any case of its UUID', () => {
  const id = 'ovaid-517e0001-0000-4000-8000-00000000000b';
  const isRight = (siteId: string, mutation: object | null = null) => {
    const about = { operation: 'applySiteLabel', owner: 'ours', label: 'spare', mutation } as Case;
    const reply = { status: 200, params: { id }, body: JSON.stringify({ siteId, labels: [] }) };
    const all = [...formsIn(about, reply as unknown as Exchange, {} as Deployment)];
    return all.find(({ rule }) => rule === 'labels/site-label-set')?.says;
  };
  expect([id, id.replace('b', 'B'), id.toUpperCase()].map((one) => isRight(one))).toEqual(['kept', 'kept', 'broken']);
  // It was asked for in capitals.
  expect(isRight(id.toUpperCase(), { id: 'the id in capitals', means: 'open' })).toBe('kept');
});
