import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { Breach } from '../judging/law.ts';
import type { OwnWrite } from './registers/own-writes.ts';

/** The rules about the set in the reply to a write. */
export const replyRules: Readonly<Record<string, RuleId>> = {
  applyConversationLabel: 'labels/conversation-apply',
  removeConversationLabel: 'labels/conversation-remove',
  applySiteLabel: 'labels/site-apply',
  removeClientSiteLabel: 'labels/link-remove',
};

/** The rule about the effect of a write, which depends on the state before the write. */
export function stateRule({ act, carried }: Pick<OwnWrite, 'act' | 'carried'>): RuleId {
  if (act === 'apply') return carried ? 'labels/apply-is-idempotent' : 'labels/apply-adds';
  return carried === false ? 'labels/remove-is-idempotent' : 'labels/remove-removes';
}

export interface MembershipBreach extends Breach {
  /** The broken rules. */
  readonly rules: readonly RuleId[];
  readonly tenant: string;
  readonly holder: string;
  /** Whether another client cannot be the cause: true for a status, and for a set of labels where it is wrong too often. */
  readonly certain: boolean;
  /** The request that went wrong. Several replies may show what it did to several labels. */
  readonly request: Exchange;
}

/** `applying a label to conversation c0, which carries it, by acme/full` */
export function writeWords({ act, carried, holder, exchange }: OwnWrite): string {
  const where = holder.kind === 'link' ? `link ${holder.clientId} / ${holder.siteId}` : `${holder.kind} ${holder.id}`;
  const state = carried === null ? '' : carried ? ', which carries it' : ', which does not carry it';
  return `${act === 'apply' ? 'applying a label to' : 'removing a label from'} ${where}${state}, by ${exchange.key}`;
}
