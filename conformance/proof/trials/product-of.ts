import { keyView } from '../../../mock/control/views.ts';
import type { Mock } from '../../../mock/index.ts';
import type { HookName } from '../../../spec/files/hooks.ts';
import type { Command, CommandResult } from '../../hooks/command.ts';
import type { Product } from '../tampering/defect.ts';

/** Hooks that act on the mock like its control API. Closing a conversation changes nothing, as the mock cannot close one. */
export function productOf(
  mock: Mock,
  change: (does: Product) => Product = (does) => does,
): (command: Command) => CommandResult {
  const holderOf = (record: string) => {
    const [kind, id = '', , site = ''] = record.split('/');
    return kind === 'client' ? { client: id, site } : kind === 'site' ? { site: id } : { conversation: id };
  };
  const doing: Readonly<Record<HookName, (input: Readonly<Record<string, string>>) => unknown>> = {
    createKey({ tenant = '', name = '', scopes }) {
      const { key, secret } = mock.createKey(tenant, { name, scopes: scopes as unknown as [] });
      return { ...keyView(mock, key), secret };
    },
    regenerateKey({ id = '' }) {
      const { key, secret } = mock.regenerateKey(id);
      return { ...keyView(mock, key), secret };
    },
    revokeKey: ({ tenant = '', id, name = '' }) => keyView(mock, mock.revokeKey(id ?? { tenant, name })),
    listKeys: ({ tenant = '' }) => ({ keys: mock.keysOf(tenant).map((key) => keyView(mock, key)) }),
    raiseLimit: ({ id = '', perSecond, burst }) =>
      keyView(mock, mock.editKey(id, { rateLimit: { perSecond: Number(perSecond), burst: Number(burst) } })),
    applyPrivateLabel: ({ tenant = '', record = '', label = '' }) => mock.applyLabel(tenant, holderOf(record), label),
    removePrivateLabel: ({ tenant = '', record = '', label = '' }) => mock.removeLabel(tenant, holderOf(record), label),
    showLabels: ({ tenant = '', record = '' }) => ({ labels: mock.labelsOf(tenant, holderOf(record)) }),
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
