import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import { packaged } from '../../spec/packaged.ts';

/** Where `npm run build:console` puts the page, and the published package has it. */
const built = fileURLToPath(packaged('mock/console/dist/'));

/** Nothing but the files of the page itself, no inline code, no frame around it, no HTML made of text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Uploaded pictures are shown from the memory of the page.
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The console: one page at `/_mock`, read from disk when it is asked for. It holds no data, so it needs no token; all that it
 * shows it asks of the control API, which guards itself.
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
  // Their names carry a hash of their content.
  router.use(
    '/_mock/console/assets',
    express.static(join(directory, 'assets'), { index: false, redirect: false, immutable: true, maxAge: '1y' }),
  );
  return router;
}
