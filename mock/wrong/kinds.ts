import type { RuleId } from '../../spec/rules.ts';

/** A kind of fault that tools know by name: the codes of Web Fuzzing Commons 0.6, in which Schemathesis and EvoMaster report. */
export interface Kind {
  readonly code: number;
  readonly name: string;
}

/** Defects that serve what they should refuse, and not only refuse it in another way. */
const served = /^(?!.*(?:-is-\d|-\d{3}$|-answered-|-always-))/;

/** Each kind, with the rules that such a defect breaks, and what its id says. The first one that fits counts. */
const kinds: readonly (readonly [code: number, name: string, rules: RegExp, ids: RegExp])[] = [
  [100, 'HTTP status 500', /./, /-500\b|-breaks-for-some$/],
  [104, 'a failed creation has side effects', /./, /-done-by-apply|-before-it-is-refused$|-every-apply$/],
  [205, 'valid credentials are not recognised', /^(?:auth\/key-in|scopes\/missing)/, /401|valid-key|narrow-key/],
  [204, 'tells that a protected record exists', /^upload\/foreign-site/, /403/],
  [208, 'anonymous changes', /^auth\/(?:no-key|bearer)/, /-by-(?:apply|remove|start)/],
  [207, 'open without credentials', /^auth\/(?:no-key|bearer)/, /-served-|-before-a|-after-a|no-key-for-/],
  [
    206,
    'missing authorization',
    /^auth\/(?:unknown|revoked)-key|^scopes\/(?!named)|^isolation\/writes|^upload\/foreign/,
    served,
  ],
  [206, 'missing authorization', /^isolation\/reads/, /foreign-|-of-the-other/],
  [103, 'still there after DELETE', /^labels\/remove-removes/, /-not-stored$|two-removals/],
  [102, 'success on wrong data', /^ids\/malformed|^upload\/(?:content-type|no-additional)/, /^(?!.*-\d{3}$)/],
  [210, 'an endpoint that is not in the schema', /^versioning\//, /./],
  [101, 'a reply that is not as its schema', /^context\/|^errors\/|site-label-set|^upload\/target|429-body/, /./],
  [
    101,
    'a reply that is not as its schema',
    /./,
    /-answers-(?:\d|text|no)|-with-(?:status-418|303)$|-cut-off-for-|byte-order|gateway-body|names-alone|no-retry-after/,
  ],
];

/** The kind of a defect; undefined where tools have no name for it. */
export function kindOf({ id, rule }: { readonly id: string; readonly rule: RuleId }): Kind | undefined {
  const found = kinds.find(([, , rules, ids]) => rules.test(rule) && ids.test(id));
  return found && { code: found[0], name: found[1] };
}
