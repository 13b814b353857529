import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { refusalCases } from '../refusals.ts';
import { ConfigurationError } from './configuration-error.ts';
import { loadProfile, type Profile, parseProfile, writeProfile } from './profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-profile-'));

const full: Profile = {
  observed: { at: '2026-11-21T10:00:00Z', target: 'https://connect.example.com', kit: '1.0.0' },
  operations: {
    applyConversationLabel: { method: 'PUT', path: '/v1/conversation/{id}/labels/{labelId}', scopes: [], status: 200 },
    removeSiteLabel: null,
  },
  errors: {
    'no-key': { status: 403, body: 'message' },
    'foreign-conversation': { status: 404, code: 'NOT_FOUND' },
  },
  shapes: {
    label: { id: 'labelId', name: 'title' },
    labelList: { at: 'data.labels', items: 'records' },
    conversationLabels: { at: '', items: 'ids' },
    clientSiteLabels: { items: 'records' },
    contextLabels: 'ids',
  },
  upload: {
    putStatus: 200,
    registerStatus: 201,
    registerTwice: { status: 409, code: 'CONFLICT' },
    registerBeforePut: { status: 201 },
  },
  limits: { reading: 'bucket-20', retryAfter: 'computed', bodyBytes: 10485760 },
};

describe('parseProfile', () => {
  test('takes everything that the format has', () => {
    expect(parseProfile(full, 'profile.yaml')).toEqual(full);
  });

  test('forgets the $schema of a JSON file, which is for editors', () => {
    expect(parseProfile({ $schema: 'x', ...full }, 'profile.json')).toEqual(full);
  });

  test('needs nothing, and fills in nothing', () => {
    expect(parseProfile({}, 'profile.yaml')).toEqual({});
  });

  test.each(refusalCases)('takes the case %s', (name) => {
    const errors = { [name]: { status: 400, code: 'X', body: 'error' } };
    expect(parseProfile({ errors }, 'profile.yaml')).toEqual({ errors });
  });

  test.each([
    [
      { errors: { 'unknown-sites': { status: 404 } } },
      'errors.unknown-sites: unknown property; did you mean "unknown-site"?',
    ],
    [{ errors: { 'no-key': {} } }, 'errors.no-key.status: is missing'],
    [{ errors: { 'no-key': { status: 200 } } }, 'errors.no-key.status: must be 400 to 599'],
    [{ errors: { 'no-key': { status: 403, body: 'html' } } }, 'unknown value "html"; allowed: error, message'],
    [{ limits: { retryAfter: 0 } }, 'limits.retryAfter: must be "computed" or whole seconds'],
    [{ limits: { reading: 'bucket-21' } }, 'did you mean "bucket-20"?'],
    [{ shapes: { labelList: { items: 'names' } } }, 'unknown value "names"; allowed: ids, records'],
    [{ shapes: { conversationLabels: { at: 'data..labels' } } }, 'must be names of properties with dots between'],
    [{ observed: { at: 'today' } }, 'observed.at: must be a date and time'],
    [{ operations: { getHealth: { status: 404 } } }, 'operations.getHealth.status: must be 200 to 299'],
    [
      { operations: { getSite: { path: '/v1/site/{siteId}' } } },
      'operations.getSite.path: must have the path parameters {id}',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => parseProfile(value, 'profile.yaml')).toThrow(ConfigurationError);
    expect(() => parseProfile(value, 'profile.yaml')).toThrow(message);
  });
});

describe('writeProfile', () => {
  test('writes what loadProfile reads', () => {
    const file = join(folder, 'full.yaml');
    writeProfile(file, full);
    expect(loadProfile(file)).toEqual(full);
  });

  test('fits the schema with every field', () => {
    const file = join(folder, 'editors.yaml');
    writeProfile(file, full);
    const ajv = addFormats.default(new Ajv.default());
    const schema = JSON.parse(readFileSync(new URL('profile.schema.json', import.meta.url), 'utf8'));
    expect(ajv.validate(schema, parse(readFileSync(file, 'utf8'))), ajv.errorsText()).toBe(true);
  });

  test('names the schema for editors and keeps its order', () => {
    const file = join(folder, 'order.yaml');
    writeProfile(file, {
      limits: { retryAfter: 3, reading: 'gcra-31' },
      errors: { 'too-large': { status: 413 }, 'no-key': { code: 'FORBIDDEN', status: 403 } },
    });
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(first).toBe('# yaml-language-server: $schema=profile.schema.json');
    expect(rest.join('\n')).toBe(`errors:
  no-key:
    status: 403
    code: FORBIDDEN
  too-large:
    status: 413
limits:
  reading: gcra-31
  retryAfter: 3
`);
  });
});

test('an empty file is a profile that changes nothing', () => {
  const file = join(folder, 'empty.yaml');
  writeFileSync(file, '# nothing yet\n');
  expect(loadProfile(file)).toEqual({});
});
