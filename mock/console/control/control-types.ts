import type { z } from 'zod';
import type { clock } from '../../control/clock.ts';
import type { file } from '../../control/files.ts';
import type { exchange } from '../../control/journal.ts';
import type { key, limit, limitDetail, revealedKey } from '../../control/keys.ts';
import type { record, tenant, tenantData } from '../../control/tenants.ts';
import type { wrongNow, wrongWay } from '../../control/wrong.ts';

/** The replies of the control API, as their schemas say. */

export type Key = z.output<typeof key>;
export type RevealedKey = z.output<typeof revealedKey>;
export type Limit = z.output<typeof limit>;
export type LimitDetail = z.output<typeof limitDetail>;
export type BucketMoment = LimitDetail['lastMinute'][number];
export type Exchange = z.output<typeof exchange>;
export type FileRecord = z.output<typeof file>;
/** A conversation, a site or a client. */
export type RecordData = z.output<typeof record>;
export type TenantSummary = z.output<typeof tenant>;
export type TenantData = z.output<typeof tenantData>;
export type ClockState = z.output<typeof clock>;
export type WrongOn = z.output<typeof wrongNow>;
export type WrongWay = z.output<typeof wrongWay>;
export type { TargetInput as Target } from '../../../spec/files/target.ts';
export type { Fault, FaultSpec } from '../../faults/fault.ts';
export type { RateLimit } from '../../keys/bucket.ts';
export type { LabelSeed as Label } from '../../seed/schema.ts';
export type { ClonedTenant } from '../../store/tenants.ts';

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
