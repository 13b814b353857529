import type { Exchange, KeptBody } from './exchange.ts';
import { ruleOfRefusal } from './rule-of-refusal.ts';

/**
 * An entry of the journal's ring buffer, which is reused. A new object for every exchange would live just long enough to be
 * moved to the old part of V8's heap, and cost more than all the rest of a request.
 */
export interface Slot {
  id: number;
  at: number;
  milliseconds: number;
  tenant: string | null;
  key: string | null;
  operationId: Exchange['operationId'];
  method: string;
  url: string;
  headers: Exchange['request']['headers'];
  requestBody: KeptBody | null;
  status: number;
  replyHeaders: Exchange['reply']['headers'];
  /** The reply's body, redacted and shortened. */
  replyText: string | null;
  /** The length of the whole body. */
  replyLength: number;
  broken: Exchange['reply']['broken'];
  delay: number;
  refused: Exchange['refused'];
  why: string | null;
  fault: string | null;
  /** Estimated bytes. */
  size: number;
}

const nothing = Object.freeze({});

export const emptySlot = (): Slot => ({
  id: 0,
  at: 0,
  milliseconds: 0,
  tenant: null,
  key: null,
  operationId: null,
  method: '',
  url: '',
  headers: nothing,
  requestBody: null,
  status: 0,
  replyHeaders: nothing,
  replyText: null,
  replyLength: 0,
  broken: null,
  delay: 0,
  refused: null,
  why: null,
  fault: null,
  size: 0,
});

/** Drops every reference, so that the memory can be freed. */
export function empty(slot: Slot): void {
  slot.url = '';
  slot.headers = nothing;
  slot.requestBody = null;
  slot.replyHeaders = nothing;
  slot.replyText = null;
  slot.why = null;
  slot.size = 0;
}

/** A copy of a slot's exchange, which does not change when the slot is reused. */
export function exchangeOf(slot: Slot): Exchange {
  const { id, at, milliseconds, tenant, key, operationId, method, url, headers, refused, why, fault } = slot;
  const { status, replyHeaders, replyText, replyLength, broken, delay } = slot;
  const body =
    replyText === null ? null : { text: replyText, bytes: replyLength, shortened: replyText.length < replyLength };
  return {
    id,
    at,
    milliseconds,
    tenant,
    key,
    operationId,
    request: { method, url, headers, body: slot.requestBody },
    reply: { status, headers: replyHeaders, body, broken, delay },
    refused,
    why,
    rule: ruleOfRefusal(refused),
    fault,
  };
}
