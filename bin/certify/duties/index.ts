import { backsOff } from './back-off.ts';
import type { Duty } from './duty.ts';
import { habitDuties } from './habits.ts';
import { keyDuties } from './keys.ts';
import { requestDuties } from './requests.ts';
import { uploadDuties } from './uploads.ts';
import { waitingDuties } from './waiting.ts';

/** Every duty, in the order of reports. */
export const duties: readonly Duty[] = [
  ...keyDuties,
  ...requestDuties,
  ...uploadDuties,
  ...waitingDuties,
  backsOff,
  ...habitDuties,
];
