/** Names of what is asked about uploads: verdicts find it by them. */
import type { Exchange } from '../history/exchange.ts';

/** Mutations of requests whose reply is left open. */
export const asks = {
  early: 'registering a fileKey before its bytes',
  twice: 'registering a fileKey a second time',
  unknown: 'registering a fileKey that nobody issued',
  elsewhere: 'registering the fileKey of another site',
  missing: 'registering without a fileKey',
  malformed: 'registering a fileKey that is no UUID',
  tooLarge: 'a body of 11 MB',
  fields: 'registering with fields that may be too few',
  soon: 'registering right after the bytes, which may not be known yet',
} as const;

/** The mutation of a start for a number at random, which may be somebody's site. */
export const aNumber = 'a number at random';
/** Whether nothing is odd about a registration, except perhaps that its fields are too few, or that it comes soon. */
export const isPlain = ({ facts }: Exchange): boolean =>
  facts?.mutation === null || facts?.mutation?.id === asks.fields || facts?.mutation?.id === asks.soon;
