import { type Answered, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';
import { labelWriteOf } from '../../tampering/label-write.ts';

/** Only the status is wrong: body and effect are those of a success. */
const succeedingWith = (status: number, which: (answered: Answered) => boolean) =>
  onReply((answered) => (answered.reply.status < 300 && which(answered) ? { ...answered.reply, status } : undefined));

/** Defects that only the status shows. */
export const wrongStatus: readonly Defect[] = [
  {
    id: 'context/answered-with-410',
    breaks: 'context/get-answers-context',
    does: 'answers a context with 410',
    around: succeedingWith(410, ({ id }) => id === 'getConversationContext'),
  },
  {
    id: 'labels/listed-with-410',
    breaks: 'labels/listing-gives-public-labels',
    does: 'lists labels with 410',
    around: succeedingWith(410, ({ id }) => id === 'listLabels'),
  },
  {
    id: 'upload/started-with-303',
    breaks: 'upload/start-is-201',
    does: 'answers a start with 303, target and all, where the site is one of the first tenant',
    around: succeedingWith(303, ({ id, key }) => id === 'startSiteFileUpload' && key?.tenant === 'acme'),
  },
  {
    id: 'upload/put-with-403',
    breaks: 'upload/put-accepts-bytes',
    does: 'stores the bytes that are put, and answers 403',
    around: succeedingWith(403, ({ id }) => id === 'storage'),
  },
  {
    id: 'upload/registered-with-409',
    breaks: 'upload/register-takes-file-key',
    does: 'registers a file, and answers 409',
    around: succeedingWith(409, ({ id }) => id === 'registerSiteFile'),
  },
  {
    id: 'labels/site-set-with-418',
    breaks: 'labels/site-apply',
    does: 'applies a label to a site, and answers 418 with the set of labels',
    around: succeedingWith(418, (answered) => {
      const write = labelWriteOf(answered);
      return write?.on === 'site' && write.does === 'apply';
    }),
  },
];
