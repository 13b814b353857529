import { TransportError } from '../../../client/http.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { carried, isClosed, type LabelWrite, labelWriteOf } from '../../tampering/label-write.ts';
import { type AskedWhen, answering, throttling } from '../../tampering/when.ts';

type Which = (write: LabelWrite) => boolean;

/** Lawful writes of public labels. */
const writing = (which: Which): AskedWhen => ({
  usable: true,
  where: (asked) => {
    const write = labelWriteOf(asked);
    return write?.label?.visibility === 'public' && which(write);
  },
});

/** Throttled whenever they are asked, though the key has tokens. */
const throttled = (which: Which) => throttling(writing(which));

/** The connection ends without a reply. */
const reset = (which: Which) =>
  answering(writing(which), () => {
    throw new TransportError('reset', 'connection reset');
  });

/** Defects that never answer one kind of lawful write, in ways that are no fault when they happen now and then. */
export const unservedWrites: readonly Defect[] = [
  ...breaking('labels/conversation-apply', {
    'labels/closed-apply-always-429': [
      'throttles whoever applies a label to a closed conversation, however slowly',
      throttled((write) => write.does === 'apply' && isClosed(write)),
    ],
    'labels/closed-apply-always-reset': [
      'closes the connection of whoever applies a label to a closed conversation',
      reset((write) => write.does === 'apply' && isClosed(write)),
    ],
  }),
  ...breaking('labels/site-apply', {
    'labels/stranger-site-apply-always-429': [
      'throttles the second tenant when it applies a label to a site, however slowly',
      throttled((write) => write.does === 'apply' && write.on === 'site' && write.tenant.name === 'globex'),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/second-apply-always-429': [
      'throttles whoever applies a label that is carried',
      throttled((write) => write.does === 'apply' && carried(write)),
    ],
  }),
  ...breaking('labels/remove-is-idempotent', {
    'labels/idle-remove-always-reset': [
      'closes the connection of whoever removes a label that is not carried',
      reset((write) => write.does === 'remove' && !carried(write)),
    ],
  }),
];
