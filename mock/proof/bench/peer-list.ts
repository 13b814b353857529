import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The reply that a peer must serve, and a folder for its files. */
export interface PeerFiles {
  readonly folder: string;
  readonly path: string;
  readonly body: string;
}

interface Peer {
  readonly name: string;
  /** npm packages with pinned versions. */
  readonly packages: readonly string[];
  /** Writes the files of the peer. @returns the command to start it, and the path of the reply if it differs. */
  prepare(files: PeerFiles, port: number): Promise<{ command: string; args: string[]; path?: string }>;
}

const node = process.execPath;
const bin = (folder: string, path: string) => join(folder, 'node_modules', path);

export const peerList: readonly Peer[] = [
  {
    name: 'Prism 5.16.0',
    packages: ['@stoplight/prism-cli@5.16.0'],
    async prepare({ folder, path, body }, port) {
      const example = JSON.parse(body);
      const responses = { 200: { description: 'ok', content: { 'application/json': { example } } } };
      const document = {
        openapi: '3.1.0',
        info: { title: 'context', version: '1' },
        paths: { [path]: { get: { responses } } },
      };
      await writeFile(join(folder, 'prism.json'), JSON.stringify(document));
      const args = ['mock', '-p', String(port), '--verboseLevel', 'silent', 'prism.json'];
      return { command: node, args: [bin(folder, '@stoplight/prism-cli/dist/index.js'), ...args] };
    },
  },
  {
    name: 'Mockoon CLI 9.9.0',
    packages: ['@mockoon/cli@9.9.0'],
    async prepare({ folder, path, body }, port) {
      const response = {
        uuid: 'a0000000-0000-4000-8000-000000000002',
        body,
        latency: 0,
        statusCode: 200,
        headers: [{ key: 'content-type', value: 'application/json' }],
        bodyType: 'INLINE',
        disableTemplating: true,
        rules: [],
        rulesOperator: 'OR',
        default: true,
      };
      const route = {
        uuid: 'a0000000-0000-4000-8000-000000000001',
        type: 'http',
        method: 'get',
        endpoint: path.slice(1),
        responses: [response],
        responseMode: null,
      };
      const environment = {
        uuid: 'a0000000-0000-4000-8000-000000000000',
        lastMigration: 33,
        name: 'bench',
        endpointPrefix: '',
        latency: 0,
        port,
        hostname: '127.0.0.1',
        routes: [route],
        rootChildren: [{ type: 'route', uuid: route.uuid }],
      };
      await writeFile(join(folder, 'mockoon.json'), JSON.stringify(environment));
      const args = [
        'start',
        '--data',
        'mockoon.json',
        '--port',
        String(port),
        '--disable-log-to-file',
        '--disable-admin-api',
        '--max-transaction-logs',
        '1',
      ];
      return { command: node, args: [bin(folder, '@mockoon/cli/bin/run.js'), ...args] };
    },
  },
  {
    name: 'WireMock 3.13.2',
    packages: ['wiremock@3.13.2'],
    async prepare({ folder, path, body }, port) {
      const root = join(folder, 'wiremock-files');
      await mkdir(join(root, 'mappings'), { recursive: true });
      const response = { status: 200, body, headers: { 'content-type': 'application/json' } };
      await writeFile(
        join(root, 'mappings/context.json'),
        JSON.stringify({ request: { method: 'GET', url: path }, response }),
      );
      const args = [
        '--port',
        String(port),
        '--bind-address',
        '127.0.0.1',
        '--root-dir',
        root,
        '--no-request-journal',
        '--async-response-enabled',
        'false',
        '--disable-banner',
      ];
      return { command: node, args: [bin(folder, 'wiremock/index.js'), ...args] };
    },
  },
  {
    name: 'json-server 1.0.0-beta.3',
    packages: ['json-server@1.0.0-beta.3'],
    async prepare({ folder, body }, port) {
      await writeFile(
        join(folder, 'json-server.json'),
        JSON.stringify({ context: [{ id: '1', ...JSON.parse(body) }] }),
      );
      const args = ['--port', String(port), '--host', '127.0.0.1', 'json-server.json'];
      return { command: node, args: [bin(folder, 'json-server/lib/bin.js'), ...args], path: '/context/1' };
    },
  },
  {
    name: 'msw 2 behind express 5',
    packages: ['express@5.1.0', 'msw@2.7.3', '@mswjs/http-middleware@0.10.3'],
    async prepare({ folder, path, body }, port) {
      const program = `import { createServer } from '@mswjs/http-middleware';
import { http, HttpResponse } from 'msw';
const body = ${JSON.stringify(body)};
const headers = { 'content-type': 'application/json' };
createServer(http.get('${path}', () => new HttpResponse(body, { headers }))).listen(${port}, '127.0.0.1');
`;
      await writeFile(join(folder, 'msw.mjs'), program);
      return { command: node, args: [join(folder, 'msw.mjs')] };
    },
  },
];
