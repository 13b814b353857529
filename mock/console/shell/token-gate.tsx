import { useState } from 'react';
import { controlToken } from '../control/control-token.ts';
import { InputField } from '../fields/input-field.tsx';
import { Problem } from '../parts/problem.tsx';

/** Asks for the control token, which a mock requires if other machines can reach it. */
export function TokenGate({ onToken }: { readonly onToken: () => void }) {
  const [token, setToken] = useState('');
  const tried = controlToken.get() !== null;
  return (
    <main className="gate">
      <h1>partnerkit console</h1>
      <p>
        Other machines can reach this mock, so it requires its control token. You gave it with{' '}
        <code>--control-token</code>, or the mock printed it when it started.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          controlToken.set(token.trim());
          onToken();
        }}
      >
        <InputField label="Control token" type="password" autoComplete="off" required value={token} onText={setToken} />
        <Problem text={tried ? 'This is not the control token of this mock.' : null} />
        <button type="submit" className="primary">
          Open the console
        </button>
      </form>
    </main>
  );
}
