import { keyInReply, key as keyReply } from '../../../mock/control/keys.ts';
import type { Mock } from '../../../mock/index.ts';
import type { Product } from '../../../mock/wrong/tampering/defect.ts';
import type { HookName } from '../../../spec/files/hooks.ts';
import type { Command, CommandResult } from '../../hooks/command.ts';

/** Hooks that act on the mock like its control API. Closing a conversation changes nothing, as the mock cannot close one. */
export function productOf(
  mock: Mock,
  change: (does: Product) => Product = (does) => does,
): (command: Command) => CommandResult {
  const keyView = (key: ReturnType<Mock['keys']['find']>) => keyReply.parse(keyInReply(mock, key));
  const holderOf = (record: string) => {
    const [kind, id = '', , site = ''] = record.split('/');
    return kind === 'client' ? { client: id, site } : kind === 'site' ? { site: id } : { conversation: id };
  };
  const doing: Readonly<Record<HookName, (input: Readonly<Record<string, string>>) => unknown>> = {
    createKey({ tenant = '', name = '', scopes }) {
      const { key, secret } = mock.keys.create(tenant, { name, scopes: scopes as unknown as [] });
      return { ...keyView(key), secret };
    },
    regenerateKey({ id = '' }) {
      const { key, secret } = mock.keys.regenerate(id);
      return { ...keyView(key), secret };
    },
    revokeKey: ({ tenant = '', id, name = '' }) => keyView(mock.keys.revoke(id ?? { tenant, name })),
    listKeys: ({ tenant = '' }) => ({ keys: mock.keys.list(tenant).map((key) => keyView(key)) }),
    raiseLimit: ({ id = '', perSecond, burst }) =>
      keyView(mock.keys.edit(id, { rateLimit: { perSecond: Number(perSecond), burst: Number(burst) } })),
    applyPrivateLabel: ({ tenant = '', record = '', label = '' }) => mock.labels.apply(tenant, holderOf(record), label),
    removePrivateLabel: ({ tenant = '', record = '', label = '' }) =>
      mock.labels.remove(tenant, holderOf(record), label),
    showLabels: ({ tenant = '', record = '' }) => ({ labels: mock.labels.of(tenant, holderOf(record)) }),
    closeConversation: () => undefined,
    reopenConversation: () => undefined,
  };
  const does = change((hook, input) => doing[hook](input));
  return ({ input, variables }) => {
    try {
      const output = does(variables.PARTNERKIT_HOOK as HookName, JSON.parse(input));
      return { stdout: output === undefined ? '' : JSON.stringify(output), stderr: '', problem: null };
    } catch (error) {
      return { stdout: '', stderr: String(error), problem: 'exit code 22' };
    }
  };
}
