import type { Collection, CollectionRequest } from './collection.ts';

/** A Postman collection, format 2.1, which Insomnia, Hoppscotch and others import too. */
export function postman({ name, variables, folders }: Collection): string {
  const collection = {
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: folders.map((folder) => ({ name: folder.name, item: folder.requests.map(item) })),
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function item(request: CollectionRequest) {
  const { name, description, method, url, headers, body } = request;
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: script(request) } }],
    request: {
      method,
      description,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url,
      ...(body !== null && { body: { mode: 'raw', raw: body } }),
    },
  };
}

function script({ status, keeps, flood }: CollectionRequest): string[] {
  return [
    `pm.test('status is ${status}', () => pm.response.to.have.status(${status}));`,
    ...keeps.map((field) => `pm.collectionVariables.set('${field}', pm.response.json().${field});`),
    ...(flood === 0 ? [] : floodTest(flood)),
  ];
}

const floodTest = (flood: number) =>
  `pm.test('${flood} at once: some get 429 with Retry-After', (done) => {
  const sent = Array.from({ length: ${flood} }, () => new Promise((resolve, reject) =>
    pm.sendRequest(pm.request, (error, reply) => (error ? reject(error) : resolve(reply)))));
  Promise.all(sent).then((replies) => {
    const refused = replies.filter(({ code }) => code === 429);
    console.log(refused.length + ' of ' + replies.length + ' got 429');
    pm.expect(refused.length).to.be.above(0);
    for (const reply of refused) pm.expect(reply.headers.get('retry-after')).to.match(/^[1-9]/);
  }).then(() => done(), done);
});`.split('\n');
