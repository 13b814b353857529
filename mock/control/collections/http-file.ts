import type { Collection, CollectionRequest } from './collection.ts';

/** A `.http` file in the dialect of JetBrains IDEs, which the httpYac extension and command line read too. */
export function httpFile({ name, variables, folders }: Collection): string {
  const requests = folders.flatMap((folder) => folder.requests);
  // Scripts of .http files cannot send requests, so there is no flood.
  const texts = requests.filter(({ flood }) => flood === 0).map(requestText);
  const lines = Object.entries(variables).map(([variable, value]) => `@${variable} = ${value}`);
  return `# ${name}\n\n${lines.join('\n')}\n\n${texts.join('\n')}`;
}

const requestText = ({ name, method, url, headers, body, status, keeps }: CollectionRequest) =>
  [
    `### ${name}`,
    `${method} ${url}`,
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
    ...(body === null ? [] : ['', body]),
    '',
    '> {%',
    `  client.test("status is ${status}", () => client.assert(response.status === ${status}));`,
    ...keeps.map((field) => `  client.global.set("${field}", response.body.${field});`),
    '%}',
    '',
  ].join('\n');
