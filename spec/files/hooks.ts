import { z } from 'zod';
import { optionalFields } from './optional-fields.ts';

const command = (what: string) => z.string().min(1).describe(what);

/**
 * Commands for actions that only the product can do. The shell runs each command, with its input as JSON on stdin and as
 * PARTNERKIT_ variables. Exit code 0 means that the action is done.
 */
export const hooks = optionalFields({
  createKey: command('Creates a key. Input tenant, name, scopes; prints {"id", "secret"}.'),
  regenerateKey: command('Gives a key a new secret. Input tenant, id, name; prints {"secret"}.'),
  revokeKey: command('Revokes a key. Input tenant, name, and id if it is known.'),
  listKeys: command('Prints the list of keys as the product shows it, as JSON. Input tenant.'),
  raiseLimit: command('Changes the limit of a key. Input tenant, id, name, perSecond, burst.'),
  applyPrivateLabel: command(
    'Applies a private label to a record inside the product. Input tenant, label (its id), record (such as conversation/<id>, site/<id> or client/<id>/site/<id>).',
  ),
  removePrivateLabel: command('Removes a private label. Input as for applyPrivateLabel.'),
  showLabels: command('Prints all labels of a record, including private ones, as JSON. Input tenant, record.'),
  closeConversation: command('Closes a conversation. Input tenant, id.'),
  reopenConversation: command('Opens a closed conversation. Input tenant, id.'),
});

/** The command of each hook; a target file may have any of them. */
export type Hooks = z.output<typeof hooks>;
/** What only the product can do. */
export type HookName = keyof Hooks;
