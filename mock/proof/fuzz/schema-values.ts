import fc from 'fast-check';
import { resolved, type Schema } from './contract.ts';
import { hostileJson, hostileText } from './hostile-values.ts';

/** Values that a schema of the contract accepts. @throws Error for a part of JSON Schema that is not known here */
export function validValues(reference: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(reference);
  if (schema.type === 'string') return validText(schema);
  if (schema.type === 'object') return validObjects(schema);
  throw new Error(`no values for a schema of type ${schema.type}: teach schema-values.ts`);
}

function validText({ format, pattern, minLength = 0 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid')
    return fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    );
  // A pattern such as `^ovcid-.*$` says how a text starts; what follows may be anything on one line.
  const start = pattern === undefined ? undefined : /^\^([\w-]+)\.\*\$$/.exec(pattern)?.[1];
  if (start !== undefined) return hostileText.map((text) => start + text.replace(/[\n\r\u2028\u2029]/g, ''));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return hostileText.map((text) => text.padEnd(minLength, '0'));
}

function validObjects({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, validValues(schema)] as const);
  const declared = fc.record(Object.fromEntries(entries), { requiredKeys: [...required] });
  if (additionalProperties === false) return declared;
  return fc
    .tuple(declared, fc.dictionary(hostileText, hostileJson, { maxKeys: 2 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

/** Objects that the schema would accept but for one thing: a property less, one more, or one of the wrong kind. */
export function nearlyValidObjects(reference: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(reference);
  const name = fc.constantFrom(...Object.keys(schema.properties ?? {}));
  const change = fc.oneof(
    name.map((gone) => (value: Record<string, unknown>) => {
      const { [gone]: _, ...left } = value;
      return left;
    }),
    fc.tuple(name, hostileJson).map(([at, wrong]) => (value: object) => ({ ...value, [at]: wrong })),
    fc.tuple(hostileText, hostileJson).map(([at, more]) => (value: object) => ({ ...value, [at]: more })),
    fc.constant((value: object) => [value]),
    fc.constant((value: object) => ({ ...value, ['__proto__']: { polluted: true } })),
  );
  return fc.tuple(validValues(schema), change).map(([value, alter]) => alter(value as Record<string, unknown>));
}
