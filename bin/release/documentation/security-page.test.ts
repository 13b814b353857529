import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** Which tests hold each sentence of SECURITY.md: the words that it begins with, files, and the titles of tests in them. */
const proof: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'The mock listens on 127.0.0.1': [
    ['mock/control/refusals.test.ts', 'whoever calls it as it was told to listen'],
    ['mock/control/refusals.test.ts', 'its own page, by Origin'],
    ['bin/commands/mock-as-a-tool.test.ts', 'prints the token that it has generated when other machines can reach it'],
  ],
  'No key of the target file': [
    ['spec/redaction/redaction.test.ts', 'is not seen %s'],
    ['bin/proof/secrets/secrets.test.ts', 'conformance run, in no report, and then compare'],
  ],
  'A key is found as it is': [
    ['spec/redaction/redaction.test.ts', 'all forms of %s in one text are found'],
    ['spec/redaction/redaction.test.ts', 'reads 4 MB of %s quickly'],
  ],
  'Neither is a key of the mock': [['mock/journal/journal.test.ts', 'made in the portal and sent in %s']],
  'Keys come from environment variables': [
    ['bin/proof/secrets/secrets.test.ts', 'commands that read the environment and no target file'],
  ],
  'The mock keeps secrets made in the portal as hashes only': [
    ['bin/proof/secrets/secrets-of-the-mock.test.ts', 'is stored only as a hash and its first eight characters'],
    [
      'bin/proof/secrets/secrets-of-the-mock.test.ts',
      'is compared in a time that does not depend on how much of a guess is right',
    ],
  ],
  'Its journal never holds the key': [
    ['mock/journal/journal.test.ts', 'of requests are not in memory while they wait to be redacted'],
    ['mock/journal/journal.test.ts', 'that are forgotten later are not shown either'],
  ],
  'Redirects are not followed': [
    ['load/proof/hostile/hostile-load.test.ts', 'does not follow a redirect with the key'],
  ],
  'A proxy looks up names by itself': [
    ['conformance/client/reaching.test.ts', 'a proxy does not help a deployment abroad to reach %s by an upload URL'],
  ],
  'A client certificate is shown': [
    [
      'conformance/client/reaching.test.ts',
      'shows the client certificate to the host of the deployment, and to no other',
    ],
  ],
  'Upload URLs get no key': [
    [
      'load/proof/hostile/hostile-load.test.ts',
      'sends bytes to an upload URL without the key, and none to a metadata service',
    ],
    ['spec/may-reach.test.ts', 'mayReach'],
  ],
  'Conformance and load write label memberships only': [
    ['bin/proof/interruptions/interruptions.test.ts', 'is undone by cleanup'],
    [
      'conformance/proof/hostile/write-journal.test.ts',
      'after a death at any write request and any line of the journal',
    ],
    ['bin/commands/conformance.test.ts', 'cleanup undoes what a killed run has left'],
  ],
  'A state file belongs to one mock at a time': [
    ['mock/state/state-file.test.ts', 'belongs to one mock at a time, and says whose it is'],
    ['mock/state/state-file.test.ts', 'can be read by nobody else'],
  ],
  'Nothing that a command prints': [
    ['bin/output/guard-output.test.ts', 'is no command any more, in text or in bytes'],
    ['bin/output/guard-output.test.ts', 'no terminal does as %j says'],
  ],
  'A report replaces a file': [
    ['conformance/reports/report-files.test.ts', 'writes into a device or pipe, and never replaces it by a file'],
  ],
  'The journal of writes follows no link': [['conformance/journal/file-journal.test.ts', 'follows no link']],
  'Replies, files, nesting, headers and waiting have limits': [
    ['mock/proof/hostile/slow-clients.test.ts', ''],
    ['mock/request/too-much-json.test.ts', ''],
    ['spec/files/read-file.test.ts', 'refuses %s that are nested without end'],
  ],
  'Uploads to the mock together take 1 GB': [['mock/upload.test.ts', 'bounds the bytes of all files']],
};

/** The sentences of the promises, without what they are headed with. */
const sentences = text('SECURITY.md')
  .split('## What the kit promises')[1]
  ?.split(/\n- /)
  .slice(1)
  .flatMap((promise) =>
    (promise.split('\n\n')[0] ?? '')
      .replaceAll(/\s+/g, ' ')
      .replace(/^\*\*.*?\*\* /, '')
      .split(/(?<=\.) (?=[A-Z])/),
  );

it.each(sentences ?? [])('%s', (sentence) => {
  const held = Object.entries(proof).filter(([start]) => sentence.startsWith(start));
  expect(held).toHaveLength(1);
  for (const [file, title] of held[0]?.[1] ?? []) expect(text(file), file).toContain(title);
});

it('checks no promise that the page no longer makes', () => {
  const said = Object.keys(proof).filter((start) => sentences?.some((sentence) => sentence.startsWith(start)));
  expect(said).toEqual(Object.keys(proof));
});
