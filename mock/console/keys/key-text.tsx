import type { Key } from '../control/control-types.ts';
import { useKnownKeys } from '../control/known-keys.ts';
import { CopyButton } from '../parts/copy-button.tsx';

/** The first characters of a key. Secrets of fixture files are documented fakes, so they can be copied. */
export function KeyText({ apiKey: { tenant, name, prefix, state } }: { readonly apiKey: Key }) {
  const known = useKnownKeys(tenant).find((key) => key.name === name && key.secret.startsWith(prefix));
  return (
    <span>
      <code>{prefix}…</code>
      {known !== undefined && state === 'ACTIVE' && (
        <>
          {' '}
          <CopyButton text={known.secret} label="Copy" subject={`the secret of ${name}`} className="plain" />
        </>
      )}
    </span>
  );
}
