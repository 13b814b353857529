import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationList } from './operations.ts';
import { createRouter, fillPath, meantPath } from './routes.ts';

const router = createRouter(operationList);

describe('match', () => {
  test.each(operationList)(
    'finds $id and its parameters, whatever text they are',
    ({ id, method, path, pathParameters }) => {
      const text = fc.oneof(
        fc.string({ minLength: 1, unit: 'binary' }).filter((value) => !/^\.\.?$/.test(value)),
        fc.constantFrom('/', '%', '%2F', '%zz', '...', '?a=b', '#', 'label', 'file', 'ü', '🏠', ' ', '+'),
      );
      const values = fc.record(Object.fromEntries(pathParameters.map((name) => [name, text])));
      fc.assert(
        fc.property(values, (params) => {
          expect(router.match(method, fillPath(path, params))).toEqual({ kind: 'found', id, params });
        }),
      );
    },
  );

  test('takes a bare numeric site id, and decodes each parameter once', () => {
    expect(router.match('GET', '/v1/site/10042')).toEqual({ kind: 'found', id: 'getSite', params: { id: '10042' } });
    expect(router.match('GET', '/v1/site/a%252Fb')).toMatchObject({ params: { id: 'a%2Fb' } });
  });

  test.each([
    '/v1/unknown',
    '/v1',
    '/',
    '',
    'v1/health',
    '/v1/health/',
    '//v1/health',
    '/V1/health',
    '/v1/site/',
    '/v1/site//file',
    '/v1/site/1/file/upload-url/2',
    '/v1/conversation//context',
  ])('finds nothing at "%s"', (path) => {
    expect(router.match('GET', path)).toEqual({ kind: 'notFound' });
  });

  test('names the methods of a path that has others', () => {
    const path = '/v1/site/1/label/2';
    expect(router.match('POST', path)).toEqual({ kind: 'methodNotAllowed', allow: ['DELETE', 'PUT'] });
    expect(router.match('get', '/v1/health')).toEqual({ kind: 'methodNotAllowed', allow: ['GET', 'HEAD'] });
    expect(router.match('HEAD', '/v1/health')).toMatchObject({ kind: 'found', id: 'getHealth' });
    expect(router.match('HEAD', path)).toMatchObject({ kind: 'methodNotAllowed' });
  });

  test.each(['%', '%zz', '%e4', 'a%2', '%C0%AF'])('says which parameter cannot be decoded: %s', (text) => {
    expect(router.match('PUT', `/v1/site/1/label/${text}`)).toEqual({
      kind: 'malformed',
      id: 'applySiteLabel',
      parameter: 'labelId',
    });
  });

  test('prefers a static segment to a parameter, in any order', () => {
    const routes = [
      { id: 'one', method: 'GET', path: '/site/{id}' },
      { id: 'all', method: 'GET', path: '/site/all' },
      { id: 'deep', method: 'GET', path: '/{kind}/all/deep' },
      { id: 'drop', method: 'DELETE', path: '/site/{id}' },
    ];
    for (const order of [routes, routes.toReversed()]) {
      const { match } = createRouter(order);
      expect(match('GET', '/site/all')).toEqual({ kind: 'found', id: 'all', params: {} });
      expect(match('GET', '/site/7')).toMatchObject({ id: 'one' });
      expect(match('GET', '/site/all/deep')).toEqual({ kind: 'found', id: 'deep', params: { kind: 'site' } });
      expect(match('DELETE', '/site/all')).toEqual({ kind: 'found', id: 'drop', params: { id: 'all' } });
      expect(match('PUT', '/site/all')).toEqual({ kind: 'methodNotAllowed', allow: ['DELETE', 'GET', 'HEAD'] });
    }
  });

  test('does not match a segment that is a property name of every object', () => {
    expect(router.match('GET', '/constructor/__proto__')).toEqual({ kind: 'notFound' });
  });
});

describe('createRouter', () => {
  test('refuses two routes that no request could tell apart', () => {
    const routes = [
      { id: 'first', method: 'GET', path: '/a/{x}' },
      { id: 'second', method: 'get', path: '/a/{y}' },
    ];
    expect(() => createRouter(routes)).toThrow('second: GET /a/{y} cannot be told apart from first');
  });

  test.each([
    ['/a/{x}.json', 'must fill a whole segment'],
    ['/a/{}', 'must fill a whole segment'],
    ['/a/{__proto__}', 'must fill a whole segment'],
  ])('refuses the template %s', (path, reason) => {
    expect(() => createRouter([{ id: 'it', method: 'GET', path }])).toThrow(reason);
  });
});

describe('fillPath', () => {
  test('encodes what would change the path, and ignores parameters that are not in the template', () => {
    expect(fillPath('/v1/site/{id}/file', { id: 'a/b?c%', labelId: 'x' })).toBe('/v1/site/a%2Fb%3Fc%25/file');
  });

  test('refuses a parameter that is missing or empty', () => {
    expect(() => fillPath('/a/{id}', {})).toThrow('/a/{id}: give the parameter id a value');
    expect(() => fillPath('/a/{id}', { id: '' })).toThrow('/a/{id}: give the parameter id a value');
  });

  test.each(['.', '..'])('refuses %s, which would lead to another resource', (id) => {
    expect(() => fillPath('/v1/site/{id}/label/{labelId}', { id: '10042', labelId: id })).toThrow('no path can carry');
  });
});

describe('the path that was most likely meant', () => {
  const paths = operationList.map(({ path }) => path);

  test.each([
    ['/v1/label', '/v1/labels'],
    ['/v1/Labels', '/v1/labels'],
    ['/v1/labels/', '/v1/labels'],
    ['//v1/labels', '/v1/labels'],
    ['/labels', '/v1/labels'],
    ['/v1/v1/labels', '/v1/labels'],
    ['/api/v1/labels', '/v1/labels'],
    ['/v2/labels', '/v1/labels'],
    ['/v1/conversations/c1/contxt', '/v1/conversation/c1/context'],
    ['/v1/sites/10042', '/v1/site/10042'],
    ['/v1/client/ovcid-1/sites/7/labels/x', '/v1/client/ovcid-1/site/7/label/x'],
    ['/site/7/file/upload-urls', '/v1/site/7/file/upload-url'],
  ])('of %s is %s', (path, meant) => {
    expect(meantPath(path, paths)).toBe(meant);
  });

  test.each([
    '/',
    '',
    '/v1',
    '/v1/',
    '/v1/invoices',
    '/v1/site',
    '/metrics',
    '/v1/conversation/c1/foo',
    `/v1/${'label'.repeat(999)}`,
  ])('of %s is unknown', (path) => {
    expect(meantPath(path, paths)).toBeUndefined();
  });

  test('is one that the router finds, whatever was mistyped', () => {
    const all = Object.values(operationList);
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat(), fc.string({ maxLength: 1 }), ({ path }, at, letter) => {
        const whole = fillPath(path, { id: '7', labelId: '8', clientId: '9', siteId: '10' });
        const meant = meantPath(
          `${whole.slice(0, at % whole.length)}${letter}${whole.slice((at % whole.length) + 1)}`,
          paths,
        );
        if (meant !== undefined) expect(router.match('NONE', meant).kind).toBe('methodNotAllowed');
      }),
    );
  });
});
