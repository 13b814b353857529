import { by } from '../fronts.ts';
import { front, strangers } from '../stranger.ts';

export const fronts = strangers({
  tomcat: [
    'runs in Tomcat, which knows no markup, quotes and encoded slashes in a URL',
    front(by('Apache Tomcat/9'), { 400: /%(22|3c|3e|5b|5d|7b|7d|5c|2f|00)|[|^"<>{}]/i, 405: /^TRACE/, 501: /^FOO/ }),
  ],
  envoy: [
    'has Envoy in front, which redirects encoded slashes, and answers without bodies',
    front(
      (status) =>
        ({ request: { url } }) => {
          const location = url.replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
          return { status, headers: { ...(status === 307 && { location }) }, body: null };
        },
      { 307: /%2f|%5c/i, 400: /%00/, 404: /\w\/\// },
    ),
  ],
  'haproxy-closes': [
    'has HAProxy in front, which closes after %00, odd methods and long URLs',
    front(() => 'close', { 400: /%00|^TRACE|^FOO/, 414: 1_000 }),
  ],
});
