import type { RuleId } from '../../spec/rules.ts';
import type { Caller } from '../history/facts.ts';
import { scopeRules } from '../target/named-scopes.ts';
import type { Case } from './case.ts';

/** A reason why a request must or may be refused. */
interface Reason {
  readonly id: string;
  /** The rule that demands the refusal; null where the specification leaves it open. */
  readonly rule: (asked: Case) => RuleId | null;
  /** The rule about the status, where it is another one. */
  readonly statusRule?: RuleId;
  /** The right statuses, such as 403; `any` 4xx where none is named. */
  readonly statuses: readonly number[] | 'any' | ((asked: Case) => readonly number[] | 'any');
  applies(asked: Case): boolean;
}

const start = 'startSiteFileUpload';

const ofCaller = (caller: Caller, rule: RuleId): Reason => ({
  id: `key: ${caller}`,
  rule: () => rule,
  statuses: ({ hasOddKey }) => (hasOddKey ? 'any' : [403]),
  applies: (asked) => asked.caller === caller,
});

const open = (id: string, applies: Reason['applies'], statuses: Reason['statuses'] = 'any'): Reason => ({
  id,
  rule: () => null,
  statuses,
  applies,
});

const demandOf = ({ mutation }: Case) =>
  typeof mutation?.means === 'object' && 'rule' in mutation.means ? mutation.means : null;

/** Whether anything in front of the service may answer in words of its own. */
export const isOdd = (asked: Case): boolean =>
  asked.hasOddKey || asked.mutation?.means === 'open' || typeof demandOf(asked)?.statuses === 'string';

/** Whether no usable reply is as right as a refusal: where a rule demands no more than that it does not succeed. */
export function mayBeLost(asked: Case, status: number | null): boolean {
  const statuses = demandOf(asked)?.statuses;
  if (statuses === 'no success') return true;
  return status === null && (statuses === 'any' || asked.mutation?.means === 'open');
}

/** Whether somebody without a valid key is kept away, as by a firewall that has seen many refusals. It opens no door, and shows no refusal. */
export const isKeptAway = ({ caller }: Case, status: number | null): boolean =>
  caller !== 'valid' && (status === null || status === 429);

const toleranceOf = ({ mutation }: Case) =>
  typeof mutation?.means === 'object' && 'may' in mutation.means ? mutation.means.may : null;

/**
 * The contract as a table: why a request must or may be refused, and with which statuses. In which order a deployment checks key, scope, record
 * and body is open, so the status of any reason that applies is right. A request to which none applies must succeed.
 */
const reasons: readonly Reason[] = [
  ofCaller('none', 'auth/no-key-is-403'),
  ofCaller('unknown', 'auth/unknown-key-is-403'),
  ofCaller('revoked', 'auth/revoked-key-is-403'),
  ofCaller('bearer', 'auth/bearer-is-not-supported'),
  ofCaller('elsewhere', 'auth/header-is-required'),
  open('key: in the other letter case', ({ caller }) => caller === 'other-case'),
  {
    id: 'scope: one that the specification names',
    rule: ({ operation }) => scopeRules[operation] ?? null,
    statusRule: 'scopes/missing-scope-is-403',
    statuses: [403],
    applies: ({ lacks }) => lacks === 'named',
  },
  open('scope: one that we assume', ({ lacks }) => lacks === 'assumed', [403]),
  {
    id: "record: another tenant's",
    rule: ({ isRead }) => (isRead ? 'isolation/reads-stay-in-tenant' : 'isolation/writes-stay-in-tenant'),
    statuses: 'any',
    applies: ({ owner, operation, mayBeOwn }) => owner === 'theirs' && operation !== start && !mayBeOwn,
  },
  {
    id: "site: another tenant's",
    rule: () => 'upload/foreign-site-is-404',
    statuses: [404],
    applies: ({ owner, operation, mayBeOwn }) => owner === 'theirs' && operation === start && !mayBeOwn,
  },
  open('site: a bare id, which both tenants may have', ({ owner, mayBeOwn }) => owner === 'theirs' && mayBeOwn),
  {
    id: 'site: does not exist',
    rule: () => 'upload/unknown-site-is-404',
    statuses: [404],
    applies: ({ owner, operation }) => owner === 'nobody' && operation === start,
  },
  open('record: does not exist', ({ owner, operation }) => owner === 'nobody' && operation !== start),
  open('record: an id of another form', ({ owner }) => owner === 'malformed'),
  {
    id: 'label: private',
    rule: ({ isApply }) => (isApply ? 'labels/private-cannot-be-applied' : null),
    statuses: 'any',
    applies: ({ label }) => label === 'private',
  },
  {
    id: "label: another tenant's",
    rule: ({ isApply }) => (isApply ? 'isolation/writes-stay-in-tenant' : null),
    statuses: 'any',
    // On a site of its own, it may be a label of its own.
    applies: ({ label, owner, mayBeOwn }) => label === 'foreign' && !(owner === 'theirs' && mayBeOwn),
  },
  open('label: does not exist', ({ label }) => label === 'unknown' || label === 'malformed'),
  {
    id: 'mutation: must be refused',
    rule: (asked) => demandOf(asked)?.rule ?? null,
    statuses: (asked) => {
      const { statuses = [] } = demandOf(asked) ?? {};
      return statuses === 'no success' ? 'any' : statuses;
    },
    applies: (asked) => demandOf(asked) !== null,
  },
  open(
    'mutation: may be refused so',
    (asked) => toleranceOf(asked) !== null,
    (asked) => toleranceOf(asked) ?? [],
  ),
  open('mutation: what it means is open', ({ mutation }) => mutation?.means === 'open'),
];

export const reasonsOf = (asked: Case): readonly Reason[] => reasons.filter((reason) => reason.applies(asked));

/** Whether this status is right for the reason. */
export function allows({ statuses }: Reason, status: number, asked: Case): boolean {
  const right = typeof statuses === 'function' ? statuses(asked) : statuses;
  return right === 'any' ? status >= 400 && status < 500 : right.includes(status);
}
