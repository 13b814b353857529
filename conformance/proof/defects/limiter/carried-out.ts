import type { ApiRequest } from '../../../../mock/index.ts';
import { as, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';
import { carried, doneAnyway, drop, labelWriteOf } from '../../tampering/label-write.ts';
import { measuredMay, oneSpare } from '../../tampering/targets.ts';
import { chain, onReplyTo } from '../../tampering/when.ts';

/** Requests that are answered 429 and carried out all the same. */
export const carriedOut: readonly Defect[] = [
  ...(['apply', 'remove'] as const).flatMap((act): Defect[] => {
    const around = doneAnyway({
      status: 429,
      where: (answered) => {
        const write = labelWriteOf(answered);
        return write?.label?.visibility === 'public' && write.does === act;
      },
    });
    const breaks = 'limiter/429-comes-before-the-handler';
    const does = `answers 429 to every ${act} and carries it out`;
    return [
      { id: `limiter/carried-out-every-${act}`, breaks, does, around },
      {
        id: `limiter/carried-out-with-one-spare-label-${act}`,
        breaks,
        does: `${does}, where the tenant has one spare label`,
        around,
        target: oneSpare,
      },
    ];
  }),
  {
    id: 'limiter/throttled-apply-takes-off',
    breaks: 'labels/apply-is-idempotent',
    does: 'answers 429 to an apply of a label that is carried, and takes it off',
    around: onReply((answered) => {
      const write = answered.reply.status === 429 ? labelWriteOf(answered) : undefined;
      if (write?.does !== 'apply' || !carried(write)) return undefined;
      drop(write);
      return { ...answered.reply, headers: { ...answered.reply.headers, 'x-undone': '1' } };
    }),
  },
  ...[800, 1_800].map(
    (milliseconds): Defect => ({
      id: `limiter/carried-out-after-${milliseconds}-ms`,
      // A reply in between shows that the throttled write had no effect at first, so the label comes from nowhere.
      breaks: 'labels/membership-is-a-set',
      does: `answers 429 to every apply and carries it out ${milliseconds} ms later`,
      around: (scene) => {
        const due: { readonly at: number; readonly request: ApiRequest; readonly tenant: string }[] = [];
        return chain(
          onReplyTo({ status: 429, method: 'PUT' }, ({ request, reply, mock, key, id }) => {
            if (id === 'storage' || key === undefined) return undefined;
            due.push({ at: mock.clock.now() + milliseconds, request, tenant: key.tenant });
            return { ...reply, headers: { ...reply.headers, 'x-later': '1' } };
          }),
          instead(async ({ mock, ask }) => {
            for (let first = due[0]; first !== undefined && first.at <= mock.clock.now(); first = due[0]) {
              due.shift();
              await ask(as(mock, first.request, first.tenant));
            }
            return undefined;
          }),
        )(scene);
      },
    }),
  ),
  {
    id: 'limiter/registers-all-the-same',
    breaks: 'limiter/429-comes-before-the-handler',
    does: 'answers 429 to a registration, and registers the file all the same',
    target: measuredMay('siteFile:write'),
    around: onReply(async ({ key, id, reply, request, ask, mock }) => {
      if (key?.name !== 'limits' || (id !== 'registerSiteFile' && id !== 'startSiteFileUpload')) return undefined;
      if (reply.status !== 429) return ask(as(mock, request, key.tenant));
      if (id === 'registerSiteFile') await ask(as(mock, request, key.tenant));
      return { ...reply, headers: { ...reply.headers, 'x-done': '1' } };
    }),
  },
];
