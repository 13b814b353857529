import { useState } from 'react';
import { controlToken } from '../control/control-token.ts';
import { Problem } from '../parts/problem.tsx';

/** Asks for the control token, which a mock that other machines reach wants. */
export function TokenGate({ onToken }: { readonly onToken: () => void }) {
  const [token, setToken] = useState('');
  const tried = controlToken.get() !== null;
  return (
    <main className="gate">
      <h1>partnerkit console</h1>
      <p>
        Other machines can reach this mock, so it wants its control token: the one given with{' '}
        <code>--control-token</code>, or printed when it started.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          controlToken.set(token.trim());
          onToken();
        }}
      >
        <label className="field">
          Control token
          <input
            type="password"
            autoComplete="off"
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <Problem text={tried ? 'The mock does not know that token.' : null} />
        <button type="submit" className="primary">
          Open the console
        </button>
      </form>
    </main>
  );
}
