import { seededRandom } from '../../../../spec/random.ts';
import type { Mock } from '../../../create-mock.ts';
import type { Target } from './fire.ts';

/** What to draw from the one tenant that a mock has. */
export interface DrawSettings {
  readonly conversations: number;
  /** How many keys take turns. */
  readonly keys: number;
}

/** Requests for the contexts of random conversations, in the format of the load tool. */
export function drawTargets(mock: Mock, { conversations, keys }: DrawSettings): Target[] {
  const [tenant] = mock.tenants.values();
  if (tenant === undefined) throw new Error('there is no tenant');
  const random = seededRandom(2);
  const drawn = <T>(items: readonly T[], count: number) =>
    Array.from({ length: Math.min(count, items.length) }, () => items[Math.floor(random() * items.length)]);
  // The conversations themselves stay unread: a million would fill the memory that is measured.
  const ids = drawn([...tenant.conversations.keys()], conversations);
  const secrets = drawn(tenant.records.seed.keys, keys).map((key) => key?.secret ?? '');

  const count = Math.max(ids.length, secrets.length);
  return Array.from({ length: count }, (_, i) => ({
    path: `/v1/conversation/${ids[i % ids.length]}/context`,
    key: secrets[i % secrets.length] ?? '',
  }));
}
