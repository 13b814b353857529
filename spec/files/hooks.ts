import { z } from 'zod';
import { closedObject } from './closed-object.ts';

const command = (what: string) => z.string().min(1, 'must not be empty').describe(what).optional();

/**
 * Commands for what only the product can do. Each is run by the shell, gets its input as JSON on stdin and as PARTNERKIT_ variables, and
 * exits with 0 when what it does is done.
 */
export const hooks = closedObject({
  createKey: command('Makes a key. Input tenant, name, scopes; prints {"id", "secret"}.'),
  regenerateKey: command('Gives a key a new secret. Input tenant, id, name; prints {"secret"}.'),
  revokeKey: command('Revokes a key. Input tenant, name, and id where it is known.'),
  listKeys: command('Prints the list of keys as the product shows it, as JSON. Input tenant.'),
  raiseLimit: command('Gives a key another limit. Input tenant, id, name, perSecond, burst.'),
  applyPrivateLabel: command(
    'Puts a private label on a record inside the product. Input tenant, label (its id), record (such as conversation/<id>, site/<id> or client/<id>/site/<id>).',
  ),
  removePrivateLabel: command('Takes a private label off again. Input as for applyPrivateLabel.'),
  showLabels: command('Prints every label that a record carries, private ones too, as JSON. Input tenant, record.'),
  closeConversation: command('Closes a conversation. Input tenant, id.'),
  reopenConversation: command('Opens it again. Input tenant, id.'),
});

export type Hooks = z.output<typeof hooks>;
export type HookName = keyof Hooks;
