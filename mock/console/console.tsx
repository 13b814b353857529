import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { theme } from '../../spec/report-page/theme.ts';
import { ControlFailure } from './control/control.ts';
import { Shell } from './shell/shell.tsx';
import './style/theme.css';
import './style/layout.css';
import './style/parts.css';
import './style/views.css';
import './style/print.css';

// Before the page's own styles, which may differ from it.
const shared = new CSSStyleSheet();
shared.replaceSync(`@layer { ${theme} }`);
document.adoptedStyleSheets = [shared];

// The mock usually runs on this machine, so it can be reached while the browser is offline. Only the journal knows.
onlineManager.setEventListener(() => undefined);
const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A stopped mock may come back, so a request that got no answer is repeated. An error reply is final.
      retry: (attempts, error) => !(error instanceof ControlFailure) && attempts < 2,
      staleTime: 1_000,
    },
  },
});

createRoot(document.getElementById('console') as HTMLElement).render(
  <QueryClientProvider client={client}>
    <Shell />
  </QueryClientProvider>,
);
