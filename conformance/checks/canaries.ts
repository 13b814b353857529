import type { TargetTenant } from '../../spec/files/target.ts';
import { type Reply, valuesOf } from '../reply.ts';

/** Below this a value may stand in a text by chance: then it counts only as the whole value of a property that is an id. */
const longEnough = 16;

/** Ids of a tenant that no key of another may ever see. Its labels are not among them: tenants may share a catalogue. */
export function canariesOf({ conversations, sites, clientSite, privateLabel }: TargetTenant): string[] {
  const ids = [
    conversations?.open,
    conversations?.closed,
    sites?.current,
    sites?.legacy,
    clientSite?.client,
    clientSite?.site,
    privateLabel?.id,
  ];
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** A canary in a reply to a request that did not hold it itself. */
export interface Sighting {
  readonly reply: Reply;
  readonly canary: string;
}

export function* sightings(replies: Iterable<Reply>, canaries: readonly string[]): Generator<Sighting> {
  for (const reply of replies) {
    for (const canary of canaries) if (!wasSent(reply, canary) && isSeen(reply, canary)) yield { reply, canary };
  }
}

/** A refusal may well repeat what was asked for. */
function wasSent({ exchange }: Reply, canary: string): boolean {
  const { url, requestHeaders, requestBody } = exchange;
  const sent = `${decoded(url)} ${Object.values(requestHeaders).join(' ')} ${requestBody ?? ''}`.toLowerCase();
  return sent.includes(canary.toLowerCase());
}

function isSeen(reply: Reply, canary: string): boolean {
  const wanted = canary.toLowerCase();
  if (wanted.length >= longEnough) return decoded(reply.text).toLowerCase().includes(wanted);
  for (const [path, value] of valuesOf(reply.json)) {
    const name = path.findLast((step) => typeof step === 'string') ?? '';
    if (String(value).toLowerCase() === wanted && /ids?$/i.test(name)) return true;
  }
  return false;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
