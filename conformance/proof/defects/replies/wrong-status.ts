import { type Answered, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { labelWriteOf } from '../../tampering/label-write.ts';

/** Only the status is wrong: body and effect are those of a success. */
const succeedingWith = (status: number, which: (answered: Answered) => boolean) =>
  onReply((answered) => (answered.reply.status < 300 && which(answered) ? { ...answered.reply, status } : undefined));

/** Defects that only the status shows. */
export const wrongStatus: readonly Defect[] = [
  ...breaking('context/get-answers-context', {
    'context/answered-with-410': [
      'answers a context with 410',
      succeedingWith(410, ({ id }) => id === 'getConversationContext'),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listed-with-410': ['lists labels with 410', succeedingWith(410, ({ id }) => id === 'listLabels')],
  }),
  ...breaking('upload/start-is-201', {
    'upload/started-with-303': [
      'answers a start with 303, target and all, where the site is one of the first tenant',
      succeedingWith(303, ({ id, key }) => id === 'startSiteFileUpload' && key?.tenant === 'acme'),
    ],
  }),
  ...breaking('upload/put-accepts-bytes', {
    'upload/put-with-403': [
      'stores the bytes that are put, and answers 403',
      succeedingWith(403, ({ id }) => id === 'storage'),
    ],
  }),
  ...breaking('upload/register-takes-file-key', {
    'upload/registered-with-409': [
      'registers a file, and answers 409',
      succeedingWith(409, ({ id }) => id === 'registerSiteFile'),
    ],
  }),
  ...breaking('labels/site-apply', {
    'labels/site-set-with-418': [
      'applies a label to a site, and answers 418 with the set of labels',
      succeedingWith(418, (answered) => {
        const write = labelWriteOf(answered);
        return write?.on === 'site' && write.does === 'apply';
      }),
    ],
  }),
];
