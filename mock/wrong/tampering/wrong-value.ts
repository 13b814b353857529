import { asArray, asObject, type Json, objectOf, withJson } from './json-value.ts';
import type { Answered } from './tamper.ts';
import { onReplyTo, type When } from './when.ts';

type Change = (value: Json, answered: Answered) => Json | undefined;

/**
 * Answers another value at a place of JSON bodies; undefined leaves it out. The names of a place are joined with dots, and `[]` stands for
 * every item of a list: `messages[].author`.
 */
export const wrongValue = (when: When, place: string, change: Change) => {
  const names = place.replaceAll('[]', '.[]').split('.');
  return onReplyTo(when, (answered) => {
    const body = changed(objectOf(answered.reply), names, (value) => change(value, answered));
    return withJson(answered.reply, body ?? null);
  });
};

function changed(
  value: Json | undefined,
  [name, ...rest]: readonly string[],
  change: (value: Json) => Json | undefined,
): Json | undefined {
  if (name === undefined) return change(value ?? '');
  if (name === '[]') return asArray(value).map((item) => changed(item, rest, change) ?? null);
  const { [name]: old, ...others } = asObject(value);
  const next = changed(old, rest, change);
  return next === undefined ? others : { ...asObject(value), [name]: next };
}
