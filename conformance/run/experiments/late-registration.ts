import { succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../../laws/judging/asked.ts';
import { uploadsIn } from '../../laws/uploads/uploads-in.ts';
import type { Situation } from '../../scripts/script.ts';
import { register } from '../../situations/uploads/registrations.ts';
import { start, uploadKeys } from '../../situations/uploads/upload-asks.ts';
import { maxAge } from './late-put.ts';

/** The file that has waited longest is registered. A slow upload takes minutes, so a fileKey must not be forgotten within seconds. */
export function lateRegistration(history: History): Situation[] {
  const { tenant } = deploymentIn(history);
  const now = history.exchanges.at(-1)?.doneAt ?? 0;
  const found = uploadsIn(history).find(
    (upload) =>
      upload.registrations.length === 0 &&
      upload.start.sentAt > now - maxAge &&
      upload.tenant === tenant.name &&
      askedBy(upload.start, history).lawful &&
      upload.puts.some(
        (put) => put.twist === null && succeeded(put) && put.requestHeaders['content-type'] === upload.contentType,
      ),
  );
  if (found === undefined) return [];
  return [
    {
      id: 'upload/register/waited',
      title: 'the file that has waited longest since its bytes were PUT is registered',
      feeds: ['upload/register-takes-file-key'],
      uses: [start, 'registerSiteFile'],
      writes: 'leftovers',
      async run(scene) {
        const key = uploadKeys(scene.deployment).find((one) => `${one.tenant}/${one.name}` === found.start.key);
        if (key !== undefined) await register(scene, String(found.fileKey), found.site, key);
      },
    },
  ];
}
