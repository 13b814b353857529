import { parse } from 'yaml';

/** A part of `openapi.yaml` as it is written. Its form is checked by `redocly lint`, and what is generated from it by the compiler. */
export type Part = ReturnType<typeof JSON.parse>;

/** The document without its references, but for those to schemas. */
export function readContract(yaml: string): Part {
  const document = parse(yaml);
  const resolved = (part: unknown): unknown => {
    const { $ref = '#/components/schemas/' } = Object(part);
    if ($ref.startsWith('#/components/schemas/')) return part;
    return $ref.split('/').reduce((whole: Part, name: string) => whole[name], { '#': document });
  };
  return JSON.parse(JSON.stringify(document, (_, part) => resolved(part)));
}

/** All operations with path and method, in the order of the document. */
export const operationsOf = ({ paths }: Part): Part[] =>
  Object.entries<Part>(paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries<Part>(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters,
    })),
  );
