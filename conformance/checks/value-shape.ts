/** The shape of a value as the specification tells it: types alone, nothing required, everything else allowed. */
export type ValueShape =
  | 'string'
  | 'boolean'
  | 'number'
  | { readonly arrayOf: ValueShape }
  | { readonly properties: Readonly<Record<string, ValueShape>> };

export interface ShapeFinding {
  /** `wrong`: another type; `null`: null in place of a value; `absent`: not there; `unknown`: there, and not in the shape. */
  readonly kind: 'wrong' | 'null' | 'absent' | 'unknown';
  /** `messages[0].isInternal`; empty for the value itself. */
  readonly place: string;
  /** What was expected and what is there, where the type is another. */
  readonly message: string;
}

/** Everything about a value that differs from a shape, in whatever way. */
export function* compareShape(value: unknown, shape: ValueShape, place = ''): Generator<ShapeFinding> {
  if (typeof shape === 'string') {
    if (typeof value !== shape) yield wrong(place, `a ${shape}`, value);
  } else if ('arrayOf' in shape) {
    if (!Array.isArray(value)) yield wrong(place, 'an array', value);
    else for (const [index, item] of value.entries()) yield* compareShape(item, shape.arrayOf, `${place}[${index}]`);
  } else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield wrong(place, 'an object', value);
  } else {
    yield* compareProperties(value as Readonly<Record<string, unknown>>, shape.properties, place);
  }
}

function* compareProperties(
  value: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, ValueShape>>,
  place: string,
): Generator<ShapeFinding> {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  for (const [name, shape] of Object.entries(properties)) {
    const inner = value[name];
    if (inner === undefined) yield { kind: 'absent', place: at(name), message: `${at(name)} is absent` };
    else if (inner === null) yield { kind: 'null', place: at(name), message: `${at(name)} is null` };
    else yield* compareShape(inner, shape, at(name));
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) yield { kind: 'unknown', place: at(name), message: `${at(name)} is there` };
  }
}

function wrong(place: string, expected: string, value: unknown): ShapeFinding {
  const type = Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value;
  return { kind: 'wrong', place, message: `${place || 'it'} is ${type}, not ${expected}` };
}

/** Places without their positions, each once: `messages[].rawBody`. */
export const placesOf = (findings: Iterable<ShapeFinding>): string[] => [
  ...new Set([...findings].map(({ place }) => place.replace(/\[\d+\]/g, '[]'))),
];
