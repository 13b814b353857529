import type { z } from 'zod';
import type { bucketView, momentView } from '../../control/bucket-view.ts';
import type { conversationView } from '../../control/record-view.ts';
import type { wrongView, wrongWay } from '../../control/routes/wrong.ts';
import type { tenantData } from '../../control/tenant-data.ts';
import type { clockView, exchangeView, fileView, keyView, tenantView } from '../../control/views.ts';

/** The replies of the control API. Their types come from the functions that build the replies. */

export type Key = ReturnType<typeof keyView>;
export type RevealedKey = Key & { readonly secret: string };
export type Limit = ReturnType<typeof bucketView>;
export type BucketMoment = ReturnType<typeof momentView>;
export type LimitDetail = Limit & { readonly now: string; readonly lastMinute: readonly BucketMoment[] };
export type Exchange = ReturnType<typeof exchangeView>;
export type FileRecord = ReturnType<typeof fileView>;
/** A conversation, a site or a client. */
export interface RecordData extends Omit<ReturnType<typeof conversationView>, 'reply' | 'conversations'> {
  readonly reply: object;
  readonly conversations: readonly string[];
}
export type TenantSummary = ReturnType<typeof tenantView>;
export type TenantData = ReturnType<typeof tenantData>;
export type ClockState = ReturnType<typeof clockView>;
export type { TargetInput as Target } from '../../../spec/files/target.ts';
export type { Fault, FaultSpec } from '../../faults/fault.ts';
export type { RateLimit } from '../../keys/bucket.ts';
export type WrongWay = z.output<typeof wrongWay>;
export type { LabelSeed as Label } from '../../seed/schema.ts';
export type { ClonedTenant } from '../../store/tenants.ts';

/** What the mock does wrongly on purpose; without a rule, an unusual way of keeping all. */
export type WrongOn = NonNullable<ReturnType<typeof wrongView>['wrong']>;

/** The parts of a `partnerkit certify` report that the console shows. */
export interface ClientReport {
  readonly verdict: 'certified' | 'not-certified' | 'incomplete';
  readonly sentence: string;
  readonly scopes: { readonly line: string; readonly notNeeded: readonly string[] };
  readonly operations: Readonly<Record<string, number>>;
  readonly rows: readonly ClientRow[];
  readonly exchanges: readonly { readonly n: number; readonly curl: string }[];
}

export interface ClientRow {
  readonly id: string;
  readonly title: string;
  readonly outcome: string;
  readonly message: string;
  readonly advice: string;
  readonly applied: number;
  readonly rule: {
    readonly text: string;
    readonly section: string;
    readonly provenance: string;
    readonly level: string;
  };
  readonly breaches: readonly { readonly exchange: number; readonly expected: string; readonly observed: string }[];
}
