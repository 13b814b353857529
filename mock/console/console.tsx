import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ControlFailure } from './control/control-failure.ts';
import { Shell } from './shell/shell.tsx';
import './style/theme.css';
import './style/layout.css';
import './style/parts.css';
import './style/tables.css';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A mock that was stopped comes back; a refusal stays one.
      retry: (attempts, error) => !(error instanceof ControlFailure) && attempts < 2,
      staleTime: 1_000,
      // The mock is on this machine mostly, which needs no network for it.
      networkMode: 'always',
    },
  },
});

const root = document.getElementById('console');
if (root !== null) {
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <Shell />
    </QueryClientProvider>,
  );
}
