import { substituteEnvironment } from '../../spec/files/environment.ts';
import type { Target } from '../../spec/files/target.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { normalTarget } from '../plan/normal-target.ts';

/**
 * The target of `-e TARGET=FILE`, JSON, as it stands: placeholders are still in it, so that an archive holds no secret.
 * Only in the init context; a relative path is taken from where k6 was started.
 */
export function openTarget(): Target {
  const file = __ENV.TARGET;
  if (file === undefined || file === '') throw new Error('give the target file: k6 run -e TARGET=target.json ...');
  const text = open(file.startsWith('/') ? file : `${__ENV.PWD ?? '.'}/${file}`);
  const value = jsonOrUndefined(text);
  if (value === undefined) throw new Error(`${file}: k6 reads only JSON; "partnerkit load run" also takes YAML`);
  return normalTarget(value, file);
}

/** What k6 shows of a client certificate; only in the init context. Nothing in an archive, whose variables are set later. */
export function clientCertificate({ tls }: Target): { cert: string; key: string }[] {
  const { value, missing } = substituteEnvironment(tls, __ENV);
  const { cert, key } = Object(value);
  return cert === undefined || missing.length > 0 ? [] : [{ cert, key }];
}

/** The target with every `${NAME}` taken from the environment. @throws Error that names what is not set */
export function resolveTarget(target: Target): Target {
  const { value, missing } = substituteEnvironment(target, __ENV);
  if (missing.length > 0) {
    const names = [...new Set(missing.map(({ name }) => name))].join(', ');
    throw new Error(`set ${names} in the environment of k6: the target takes them from there`);
  }
  return normalTarget(value, 'target');
}
