import { z } from 'zod';
import type { ControlRoute } from '../../../mock/control/control-route.ts';
import { routeGroups } from '../../../mock/control/routes.ts';
import { yamlText } from '../../../spec/text/yaml-text.ts';

type Route = ControlRoute<unknown, unknown>;
type JsonSchema = z.core.JSONSchema.BaseSchema;

const refusals = {
  400: 'The request is invalid; nothing was changed.',
  401: 'The control token is missing or wrong.',
  403: 'The request has another name in Host, or comes from a page of another origin.',
  404: 'It does not exist.',
  409: 'It exists already, or conflicts with something that exists.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
} as const;

const errorSchema = z
  .object({ error: z.object({ code: z.string(), message: z.string(), problems: z.array(z.string()).optional() }) })
  .meta({ id: 'Error', description: 'The error, and a list of all problems if there are several.' });

const idsInPaths: Readonly<Record<string, string>> = {
  tenant: 'The name of a tenant.',
  format: 'The program: postman, bruno or http.',
  labelId: 'The id or the name of a label.',
};

/** The OpenAPI document of the control API, from its routes and their schemas. */
export function renderControlDocument(): string {
  const schemas: Record<string, JsonSchema> = {};
  /** The JSON Schema of a value. Schemas with a name of their own become components. */
  const schemaOf = (schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema => {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      unrepresentable: 'any',
    });
    for (const [name, { id: _, ...definition }] of Object.entries($defs)) schemas[name] = inComponents(definition);
    return inComponents((properties?.value ?? {}) as JsonSchema);
  };
  const content = (reply: Route['reply']) => {
    if (reply === undefined) return {};
    const types = reply instanceof z.ZodType ? { 'application/json': reply } : reply;
    const media = Object.entries(types).map(([type, schema]) => [
      type,
      { schema: schema === null ? { type: 'string' } : schemaOf(schema, 'output') },
    ]);
    return { content: Object.fromEntries(media) };
  };
  const operation = (route: Route, tag: string) => {
    const { id, path, says, body, query, reply, status = 200 } = route;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const { properties = {} } = query === undefined ? {} : schemaOf(query, 'input');
    const parameters = [
      ...names.map((name) => ({
        name,
        in: 'path',
        required: true,
        description: idsInPaths[name] ?? 'The id of a record.',
        schema: { type: 'string' },
      })),
      ...Object.entries(properties).map(([name, property]) => {
        const { description = 'Returns only those with this value.', ...schema } = property as JsonSchema;
        return { name, in: 'query', description, schema };
      }),
    ];
    const refused = [400, 401, 403, names.length > 0 && 404, ...(route.refusals ?? []), body && 415].filter(Boolean);
    return {
      operationId: id,
      tags: [tag],
      summary: says[0],
      description: says[1],
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: !z.safeParse(body, {}).success,
          content: { 'application/json': { schema: schemaOf(body, 'input') } },
        },
      }),
      responses: {
        [reply === undefined ? 204 : status]: { description: 'Done.', ...content(reply) },
        ...Object.fromEntries(refused.map((each) => [each, { $ref: `#/components/responses/E${each}` }])),
      },
    };
  };

  const paths: Record<string, Record<string, unknown>> = {};
  for (const [tag, [, routes]] of Object.entries(routeGroups)) {
    for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route, tag) };
  }
  const error = { content: { 'application/json': { schema: schemaOf(errorSchema, 'output') } } };
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the partnerkit mock',
      version: '1.0.0',
      contact: { name: 'partnerkit', url: 'https://github.com/partnerkit/partnerkit' },
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Controls state, clock, journal, faults, tenants, keys and files of the mock. On a loopback interface it needs no token, but refuses other names in Host and pages of other origins. On other interfaces every request needs the control token.',
    },
    servers: [{ url: '/_mock', description: 'On the same port as the mocked API.' }],
    security: [{}, { controlToken: [] }],
    tags: Object.entries(routeGroups).map(([name, [description]]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token given with --control-token, or the one printed at start.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [`E${status}`, { description, ...error }]),
      ),
      schemas,
    },
  };
  return `# Generated from the routes of mock/control by \`npm run generate\`. Do not edit.\n${yamlText(document)}`;
}

/** The schema as it stands in the document, without what zod writes for its own checks. */
const inComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? plain(part) : part,
  );

function plain({ pattern, maximum, minimum, anyOf, propertyNames: _, ...schema }: JsonSchema): JsonSchema {
  const isBound = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return {
    ...schema,
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    // A query string has digits, which mean a number. The format of a time says what its pattern says.
    ...(pattern?.startsWith('^\\d{') ? { type: 'integer' } : schema.format === undefined && pattern && { pattern }),
    // The library takes a Date too, of which JSON has none.
    ...(anyOf && { anyOf: anyOf.filter((one) => Object.keys(one).length > 0) }),
  };
}
