import { chain, readingUrl } from '../../../mock/wrong/tampering/when.ts';
import { front, message, page, strangers } from './stranger.ts';

export const by = (server: string) => (status: number) => page(status, server);
const unmatched = () => message(404, 'no Route matched with those values');
const unknown = '(?!/v1/(conversation|site|client|labels|health))';

/** What stands in front has its own words for what no lawful client sends. The specification gives formats of ids, not refusals. */
export const fronts = strangers({
  nginx: [
    'has nginx in front, which takes doubled slashes for one',
    chain(
      readingUrl(/(?<=.)\/{2,}/g, '/'),
      front(by('nginx'), { 400: /%00|%(?![0-9a-f]{2})/i, 405: /^TRACE|^FOO/, 414: 2_000 }),
    ),
  ],
  'spring-firewall': [
    'has the strict firewall of Spring, which says 400 with a page of Tomcat',
    front(() => page(400, 'Apache Tomcat/10.1'), {
      400: /%(2f|5c|25|00|2e|3b|0a|0d)|;|\w\/\/|\\|^(TRACE|FOO|PROPFIND)/i,
    }),
  ],
  kong: [
    'has Kong in front, which knows routes by patterns of ids, and no others',
    front(unmatched, {
      404: RegExp(`conversation/(?![0-9a-f-]{36}(/|[?]|$))|client/(?!ovcid-)|^[A-Z]+ ${unknown}`, 'i'),
    }),
  ],
  cloudflare: [
    'has Cloudflare in front, which blocks quotes, markup and climbing paths',
    front(by('cloudflare'), { 400: /%00/, 403: /%27|'|%3c|<|\.\.|%2e|select|union/i, 405: /^TRACE|^FOO/ }),
  ],
  'aws-api-gateway': [
    'has the gateway of AWS in front, which says 403 to unknown paths and methods',
    front(() => message(403, 'Missing Authentication Token'), {
      403: RegExp(`^(TRACE|HEAD|OPTIONS|FOO)|^[A-Z]+ ${unknown}|%00|%25|\\w//`),
    }),
  ],
  iis: [
    'runs behind IIS, which knows no colons, stars, doubled escapes and long URLs',
    front(by('Microsoft-HTTPAPI/2.0'), {
      400: /^[^?]*([:*<>&]|%(3a|2a|3c|3e|26|00))/i,
      404: /%25/,
      414: 2_048,
      501: /^TRACE|^FOO/,
    }),
  ],
  apache: [
    'has Apache in front, which finds nothing at encoded slashes',
    front(by('Apache'), { 400: /%00/, 404: /%2f|%5c/i, 405: /^TRACE/, 414: 1_500, 501: /^FOO/ }),
  ],
  'redirects-of-spellings': [
    'redirects slashes at the end, doubled ones and words in capitals to the usual spelling, before it reads a key',
    front(
      (status) =>
        ({ request: { url } }) => {
          const location = url
            .replace(/(?<=.)\/{2,}/g, '/')
            .replace(/\/+(?=\?|$)/, '')
            .toLowerCase();
          return { ...page(status)(), headers: { 'content-type': 'text/html', location } };
        },
      { 301: /\w\/+(\?|$)|\w\/\//, 308: / \/V1|\/(SITE|CONVERSATION|LABELS|HEALTH|CLIENT)/ },
    ),
  ],
});
