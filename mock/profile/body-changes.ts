import type { Profile } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';

export type BodyChanges = NonNullable<NonNullable<Profile['bodies']>[OperationId]>;

type JsonObject = Readonly<Record<string, unknown>>;
type Edit = (owner: JsonObject, name: string) => JsonObject;

/** A body with the properties that the deployment shows. What is in the store stays as it is. */
export function changedBody(body: unknown, { add = {}, replace = {}, omit = [], in: wrapper }: BodyChanges): unknown {
  const edits: [string, Edit][] = [
    ...omit.map((at): [string, Edit] => [at, setTo(undefined)]),
    ...Object.entries(replace).map(([at, value]): [string, Edit] => [at, setTo(value)]),
    ...Object.entries(add).map(([at, value]): [string, Edit] => [
      at,
      (owner, name) => (owner[name] === undefined ? { ...owner, [name]: countIn(owner, name) ?? value } : owner),
    ]),
  ];
  const whole = wrapper === undefined ? body : { [wrapper]: body };
  return edits.reduce((one, [at, edit]) => edited(one, at.split(/\.|(?=\[\])/), edit), whole);
}

const setTo =
  (value: unknown): Edit =>
  (owner, name) => ({ ...owner, [name]: value });

/** A number called so counts the only list beside it. */
function countIn(owner: JsonObject, name: string): number | undefined {
  const [list, ...others] = Object.values(owner).filter((value) => Array.isArray(value));
  return /^(count|total)$/i.test(name) && others.length === 0 ? list?.length : undefined;
}

/** Edits the property at the end of a path, in every item where a step is `[]`. What is not there is not made. */
function edited(value: unknown, [step = '', ...rest]: readonly string[], edit: Edit): unknown {
  if (step === '[]') return Array.isArray(value) ? value.map((item) => edited(item, rest, edit)) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const owner = value as JsonObject;
  if (rest.length === 0) return edit(owner, step);
  return owner[step] === undefined ? owner : { ...owner, [step]: edited(owner[step], rest, edit) };
}
