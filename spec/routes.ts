import { ConfigurationError } from './files/configuration-error.ts';
import { nearest } from './text/nearest.ts';

/** An operation as a router needs it. `path` is a template in which `{name}` stands for a whole segment. */
interface Route<Id extends string = string> {
  readonly id: Id;
  readonly method: string;
  readonly path: string;
}

/** `malformed` means that the route matches, but the percent-encoding of a parameter cannot be decoded. */
export type RouteMatch<Id extends string = string> =
  | { readonly kind: 'found'; readonly id: Id; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'malformed'; readonly id: Id; readonly parameter: string }
  | { readonly kind: 'methodNotAllowed'; readonly allow: readonly string[] }
  | { readonly kind: 'notFound' };

const PLACEHOLDER = /^\{([A-Za-z]\w*)\}$/;
const PLACEHOLDERS = /\{([A-Za-z]\w*)\}/g;

/**
 * Compiles routes once. A parameter takes exactly one segment that is not empty, and a static segment beats a parameter unless only
 * the parameter leads to the method. What answers GET answers HEAD too (RFC 9110, 9.1).
 * @throws Error for a malformed template
 * @throws ConfigurationError for two routes that no request could tell apart
 */
export function createRouter<Id extends string>(routes: Iterable<Route<Id>>) {
  const compiled = Array.from(routes, compile);
  compiled.forEach(({ id, method, path, shape }, position) => {
    const other = compiled.slice(0, position).find((one) => one.shape === shape && one.method === method);
    if (other !== undefined)
      throw new ConfigurationError([
        `operations.${id}: ${method} ${path} cannot be told apart from ${other.id}; change the method or path of one`,
      ]);
  });
  compiled.sort((a, b) => (a.shape < b.shape ? -1 : 1));
  const byLength = Map.groupBy(compiled, ({ segments }) => segments.length);
  return {
    /**
     * @param method in upper case
     * @param path as sent, still percent-encoded, without the query string
     */
    match(method: string, path: string): RouteMatch<Id> {
      const given = path.split('/');
      const fitting = (byLength.get(given.length) ?? []).filter(({ segments }) =>
        segments.every((segment, i) => segment === given[i] || (segment.startsWith('{') && given[i] !== '')),
      );
      const route = fitting.find(({ methods }) => methods.includes(method));
      if (route !== undefined) return found(route, given);
      if (fitting.length === 0) return { kind: 'notFound' };
      return { kind: 'methodNotAllowed', allow: [...new Set(fitting.flatMap(({ methods }) => methods))].sort() };
    },
  };
}

function compile<Id extends string>({ id, method: written, path }: Route<Id>) {
  const segments = path.split('/');
  if (segments.some((segment) => /[{}]/.test(segment) && !PLACEHOLDER.test(segment)))
    throw new Error(`${id}: in ${path} a {parameter} must fill a whole segment`);
  const method = written.toUpperCase();
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  // Parameters are alike, and behind every static segment in the order of texts.
  const shape = path.replace(PLACEHOLDERS, '\uffff');
  return { id, method, methods, path, segments, shape };
}

function found<Id extends string>(
  { id, segments }: { readonly id: Id; readonly segments: readonly string[] },
  given: readonly string[],
): RouteMatch<Id> {
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    if (!segment.startsWith('{')) continue;
    const [name, value] = [segment.slice(1, -1), given[i] ?? ''];
    try {
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      return { kind: 'malformed', id, parameter: name };
    }
  }
  return { kind: 'found', id, params };
}

/**
 * A path of the template with every parameter percent-encoded. Parameters that the template does not name are ignored.
 * @throws Error when a parameter is missing or empty, or is `.` or `..`: clients take these for folders, however they are encoded, and would
 * send the request to another resource
 */
export function fillPath(
  template: string,
  params: Readonly<Record<string, string>>,
  encode: (value: string) => string = encodeURIComponent,
): string {
  return template.replace(PLACEHOLDERS, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') {
      throw new Error(`${template}: give the parameter ${name} a value that is not empty`);
    }
    if (value === '.' || value === '..')
      throw new Error(`${template}: the parameter ${name} is ${value}, which no path can carry`);
    return encode(value);
  });
}

/**
 * The path that a mistyped path most likely meant, with its own parameters: each segment is near that of a template. The version may be missing, there
 * twice, another one or after a path of its own.
 * @param templates of paths, which begin with the same version
 */
export function meantPath(path: string, templates: readonly string[]): string | undefined {
  // Longer paths are no typing mistakes, and comparing them takes long.
  if (path.length > 300) return undefined;
  const version = templates[0]?.split('/')[1] ?? '';
  const all = path.split('/').filter((segment) => segment !== '');
  const given = all.slice(all.lastIndexOf(version) + 1);
  const filled = templates.flatMap((template) => {
    const parts = template.split('/').slice(2);
    const own = given.slice(-parts.length);
    const segments = parts.map((part, i) => (PLACEHOLDER.test(part) ? own[i] : nearest(own[i] ?? '', [part])));
    return segments.includes(undefined) ? [] : [['', version, ...segments].join('/')];
  });
  return nearest(
    ['', version, ...given].join('/'),
    filled.filter((meant) => meant !== path),
  );
}
