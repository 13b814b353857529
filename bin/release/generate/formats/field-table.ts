/** The part of JSON Schema that the schemas of our files use. */
interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

/** An object with this many properties of the same kind is a map, whose fields are described once. */
const map = 6;

/** A Markdown table of all fields of a file, such as `tenants[].keys[].secret`, with type, whether it is required, and meaning. */
export function fieldTable(schema: FieldSchema): string {
  const rows = fieldsOf(schema, '').map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return ['| field | type | without it | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

type Row = readonly [field: string, type: string, without: string, meaning: string];

function fieldsOf(schema: FieldSchema, before: string): Row[] {
  const { properties = {}, required = [] } = objectOf(schema) ?? {};
  const names = Object.keys(properties).filter((name) => name !== '$schema');
  const [first = ''] = names;
  const alike = names.every((name) => shapeOf(properties[name] ?? {}) === shapeOf(properties[first] ?? {}));
  if (names.length >= map && alike && objectOf(properties[first] ?? {}) !== undefined) {
    const list = names.map((name) => `\`${name}\`: ${properties[name]?.description ?? ''}`).join('<br>');
    return rowsOf(`${before}<name>`, { ...properties[first], description: `<name> is one of<br>${list}` }, false);
  }
  return names.flatMap((name) => rowsOf(before + name, properties[name] ?? {}, required.includes(name)));
}

function rowsOf(field: string, schema: FieldSchema, isRequired: boolean): Row[] {
  const usual = schema.default === undefined ? '' : JSON.stringify(schema.default);
  // An empty object gets the defaults of its fields.
  const without = isRequired ? 'refused' : usual === '{}' ? '' : usual;
  const own: Row = [`\`${field}\``, typeOf(schema), without, schema.description ?? ''];
  const nested = schema.items ?? schema;
  return [own, ...fieldsOf(nested, `${field}${schema.items ? '[]' : ''}.`)];
}

/** The schema of the object, if the value may be an object or null. */
const objectOf = (schema: FieldSchema): FieldSchema | undefined =>
  schema.properties === undefined ? schema.anyOf?.find(({ properties }) => properties !== undefined) : schema;

/** The schema without what differs between entries of a map: words for people, and patterns. */
const shapeOf = (schema: FieldSchema) =>
  JSON.stringify(schema, (name, value) => (['description', 'pattern'].includes(name) ? undefined : value));

function typeOf(schema: FieldSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const { type = 'anything', format, minimum, exclusiveMinimum, maximum } = schema;
  const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  return `${format ?? type}${least}${above}${most}`;
}

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/<(?!br>)/g, '&lt;')
    .replaceAll(/`([^`]*)`/g, (code) => code.replaceAll('&lt;', '<'))
    .replaceAll('\n', ' ');
