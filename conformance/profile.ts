import { type Profile, parseProfile } from '../spec/files/profile.ts';
import type { Target } from '../spec/files/target.ts';
import { type OperationId, operationIds } from '../spec/operations.ts';
import { isObject } from './history/exchange.ts';
import type { Report } from './reports/report-schema.ts';

/** The part of a profile that one law has learned. */
export type ProfilePatch = { readonly [Section in keyof Profile]?: Partial<Profile[Section]> };

/** The profile with the patch merged in, at any depth; values of the patch replace values of the profile. */
export const patched = (profile: Profile, patch: ProfilePatch): Profile => merged(profile, patch) as Profile;

function merged(before: unknown, added: unknown): unknown {
  if (!isObject(before) || !isObject(added)) return added;
  const all: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(added)) all[name] = merged(before[name], value);
  return all;
}

/** The profile with a patch. A property that is to be omitted is not added too, and the other way round; all else is merged. */
export function withPatch(profile: Profile, patch: ProfilePatch): Profile {
  const after = patched(profile, patch);
  for (const [id, names = []] of Object.entries(patch.permits ?? {}))
    Object.assign(after.permits ?? {}, {
      [id]: [...new Set([...(profile.permits?.[id as OperationId] ?? []), ...names])],
    });
  for (const id of operationIds) {
    const [was, is, body] = [profile.bodies?.[id], patch.bodies?.[id], after.bodies?.[id]];
    if (is === undefined || body === undefined) continue;
    const isShown = (name: string) => Object.hasOwn({ ...is.add, ...is.replace }, name);
    const omit = [...new Set([...(was?.omit ?? []), ...(is.omit ?? [])])].filter((name) => !isShown(name));
    const shown = (all = {}) => Object.fromEntries(Object.entries(all).filter(([name]) => !is.omit?.includes(name)));
    const changes = { ...body, omit, add: shown(body.add), replace: shown(body.replace) };
    const said = Object.entries(changes).filter(([, value]) => Object.keys(value ?? {}).length > 0);
    Object.assign(after.bodies ?? {}, { [id]: Object.fromEntries(said) });
  }
  return after;
}

/** What the run has learned, and the operations of the target file, which a mock with this profile needs too. */
export function profileOf({ startedAt, kit, profile }: Report, { baseUrl, operations }: Target): Profile {
  const base = { observed: { at: startedAt, target: baseUrl, kit }, operations };
  return patched(base, parseProfile(profile, 'what was observed'));
}
