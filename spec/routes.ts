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

export interface Router<Id extends string = string> {
  /**
   * @param method in upper case
   * @param path as sent, still percent-encoded, without the query string
   */
  match(method: string, path: string): RouteMatch<Id>;
}

interface Leaf<Id> {
  readonly id: Id;
  readonly names: readonly string[];
}

interface Node<Id> {
  /** Few at each node. Comparing them with a part of the path takes a third of cutting that part out and looking it up. */
  readonly statics: [segment: string, node: Node<Id>][];
  parameter: Node<Id> | undefined;
  readonly leaves: Map<string, Leaf<Id>>;
}

const PLACEHOLDER = /^\{([A-Za-z]\w*)\}$/;
const PLACEHOLDERS = /\{([A-Za-z]\w*)\}/g;
const NOT_FOUND = { kind: 'notFound' } as const;

/**
 * Compiles routes into a tree of segments once; a match then costs one look-up per segment. A parameter takes exactly one
 * segment that is not empty, and a static segment beats a parameter unless only the parameter leads to the method. What answers
 * GET answers HEAD too (RFC 9110, 9.1).
 * @throws Error for a malformed template, and for two routes that no request could tell apart
 */
export function createRouter<Id extends string>(routes: Iterable<Route<Id>>): Router<Id> {
  const root = createNode<Id>();
  for (const route of routes) insert(root, route);

  return {
    match(method, path) {
      if (!path.startsWith('/')) return NOT_FOUND;
      const values: string[] = [];
      const leaf = find(root, path, 1, method, values);
      if (leaf !== undefined) return found(leaf, values);
      const allow = new Set<string>();
      collectMethods(root, path.split('/'), 1, allow);
      return allow.size > 0 ? { kind: 'methodNotAllowed', allow: [...allow].sort() } : NOT_FOUND;
    },
  };
}

/**
 * A path of the template with every parameter percent-encoded. Parameters that the template does not name are ignored.
 * @throws Error when a parameter is missing or empty, cannot be encoded because half of a surrogate pair stands alone, or is `.` or `..`: clients
 * take these for folders, however they are encoded, and would send the request to another resource
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
    try {
      return encode(value);
    } catch {
      throw new Error(`${template}: the parameter ${name} holds half a surrogate pair; give it well-formed text`);
    }
  });
}

/** Longer paths are no typing mistakes, and comparing them takes long. */
const longestMeant = 300;

/**
 * The path that a mistyped path most likely meant, with its own parameters: each segment is near that of a template. A version that is missing or there
 * twice, slashes at the end and doubled ones count as mistakes too.
 * @param templates of paths, which begin with the same segment
 */
export function meantPath(path: string, templates: readonly string[]): string | undefined {
  if (path.length > longestMeant) return undefined;
  const first = templates[0]?.split('/')[1] ?? '';
  const given = path.split('/').filter((segment) => segment !== '');
  const rest = given.slice(given.lastIndexOf(first) + 1);
  for (const segments of [given, [first, ...rest]]) {
    const candidates = templates.map((template) => filled(template, segments));
    const meant = nearest(
      `/${segments.join('/')}`,
      candidates.filter((candidate) => candidate !== undefined),
    );
    if (meant !== undefined && meant !== path) return meant;
  }
  return undefined;
}

/** The template with these segments as parameters; undefined if another segment is not near. */
function filled(template: string, segments: readonly string[]): string | undefined {
  const parts = template.split('/').slice(1);
  const isNear = (part: string, i: number) =>
    PLACEHOLDER.test(part) || nearest(segments[i] ?? '', [part]) !== undefined;
  if (parts.length !== segments.length || !parts.every(isNear)) return undefined;
  return `/${parts.map((part, i) => (PLACEHOLDER.test(part) ? segments[i] : part)).join('/')}`;
}

function createNode<Id>(): Node<Id> {
  return { statics: [], parameter: undefined, leaves: new Map() };
}

function insert<Id extends string>(root: Node<Id>, { id, method, path }: Route<Id>): void {
  const [beforeSlash, ...segments] = path.split('/');
  if (beforeSlash !== '') throw new Error(`${id}: the path ${path} must begin with a slash`);

  const names: string[] = [];
  let node = root;
  for (const segment of segments) {
    const name = PLACEHOLDER.exec(segment)?.[1];
    if (name === undefined) {
      if (/[{}]/.test(segment)) throw new Error(`${id}: in ${path} a {parameter} must fill a whole segment`);
      node = child(node, segment);
    } else {
      if (names.includes(name)) throw new Error(`${id}: ${path} names the parameter ${name} twice`);
      names.push(name);
      node.parameter ??= createNode();
      node = node.parameter;
    }
  }

  const verb = method.toUpperCase();
  const other = node.leaves.get(verb);
  if (other !== undefined) {
    throw new Error(`${id}: ${verb} ${path} cannot be told apart from ${other.id}; change the method or path of one`);
  }
  for (const served of verb === 'GET' ? ['GET', 'HEAD'] : [verb]) node.leaves.set(served, { id, names });
}

function child<Id>(node: Node<Id>, segment: string): Node<Id> {
  const known = node.statics.find(([text]) => text === segment)?.[1];
  if (known !== undefined) return known;
  const created = createNode<Id>();
  node.statics.push([segment, created]);
  return created;
}

/** Finds the leaf for the method and the path from `start` on. Adds the raw parameters to `values`. */
function find<Id>(node: Node<Id>, path: string, start: number, method: string, values: string[]): Leaf<Id> | undefined {
  // After the last segment, `start` is beyond the end. A slash at the end of a path leaves an empty segment.
  if (start > path.length) return node.leaves.get(method);
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;

  for (const [text, next] of node.statics) {
    if (text.length !== end - start || !path.startsWith(text, start)) continue;
    const leaf = find(next, path, end + 1, method, values);
    if (leaf !== undefined) return leaf;
  }
  if (node.parameter === undefined || start === end) return undefined;

  values.push(path.slice(start, end));
  const behind = find(node.parameter, path, end + 1, method, values);
  if (behind === undefined) values.pop();
  return behind;
}

/** Collects the methods of all routes that match the path. */
function collectMethods<Id>(node: Node<Id>, segments: readonly string[], index: number, allow: Set<string>): void {
  const segment = segments[index];
  if (segment === undefined) {
    for (const method of node.leaves.keys()) allow.add(method);
    return;
  }
  const next = node.statics.find(([text]) => text === segment)?.[1];
  if (next !== undefined) collectMethods(next, segments, index + 1, allow);
  if (node.parameter !== undefined && segment !== '') collectMethods(node.parameter, segments, index + 1, allow);
}

function found<Id extends string>({ id, names }: Leaf<Id>, values: readonly string[]): RouteMatch<Id> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const value = values[index];
    if (name === undefined || value === undefined) continue;
    try {
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      return { kind: 'malformed', id, parameter: name };
    }
  }
  return { kind: 'found', id, params };
}
