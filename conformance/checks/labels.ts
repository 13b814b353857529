import type { Check } from '../check.ts';
import { labelsMembership } from './labels-membership.ts';
import { labelsPrivate } from './labels-private.ts';
import { labelsReplies } from './labels-replies.ts';

/** Labels on every kind of holder. */
export const labels: readonly Check[] = [...labelsMembership, ...labelsReplies, ...labelsPrivate];
