import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import { packaged } from '../../spec/package-facts.ts';

/** The built page, in the repository (after `npm run build:console`) and in the published package. */
const built = fileURLToPath(packaged('mock/console/dist/'));

/** The page may load its own files only: no inline code, no frame around the page, no HTML made from text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The page shows uploaded pictures as blobs.
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Serves the console, one page at `/_mock`. The page contains no data, so it needs no token. It reads all data from the
 * control API, which checks the token itself.
 * @param directory the built page
 */
export function consolePage(directory = built): Router {
  const router = express.Router();
  const page: RequestHandler = async (_, response) => {
    const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null);
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (html === null) {
      response.status(503).type('text').send('The console is not built yet: run `npm run build:console`.\n');
      return;
    }
    response
      .set({
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      })
      .type('html')
      .send(html);
  };
  router.get('/_mock', page);
  // The names of these files hold a hash of their content, so browsers may keep the files for ever.
  router.use(
    '/_mock/console/assets',
    express.static(join(directory, 'assets'), { index: false, redirect: false, immutable: true, maxAge: '1y' }),
  );
  return router;
}
