import { shared } from '../control/shared.ts';
import { useListener } from '../control/use-listener.ts';
import { Button, CopyButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { firstRequest } from '../samples/code-samples.ts';
import { CodeTabs } from '../samples/code-tabs.tsx';

type Revealed = { title: string; keys: readonly { name: string; secret: string }[]; then: () => void };

/** New secrets, for as long as their dialog is open, and what follows when the reader has copied them. */
const revealed = shared<Revealed | null>(null);

/** Shows new secrets, for the only time, once the dialog before has closed and returned the focus. */
export function reveal(title: string, keys: Revealed['keys'], then: Revealed['then'] = () => {}): void {
  setTimeout(() => revealed.set({ title, keys, then }));
}

const forget = () => revealed.set(null);

/** The dialog with new secrets, while there are any. They are lost when the reader leaves the page. */
export function RevealDialog() {
  const shown = revealed.use();
  // Closed before the reader leaves: with the back button the browser would show the dialog again.
  useListener('pagehide hashchange', forget);
  if (shown === null) return null;
  const { title, keys, then } = shown;
  const close = () => {
    forget();
    then();
  };
  return (
    <Dialog title={title} onClose={forget} escapable={false}>
      <p className="alert warn">
        <strong>Copy {keys.length === 1 ? 'the key' : 'these keys'} now: this is the only time it is shown.</strong> A
        lost key cannot be looked up again, only regenerated.
      </p>
      {keys.map(({ name, secret }) => (
        <div key={name} className="row">
          <span className="quiet">{name}</span>
          <code data-secret="">{secret}</code>
          <CopyButton text={secret} label={keys.length === 1 ? 'Copy key' : `Copy ${name}`} className="primary" />
        </div>
      ))}
      <p className="quiet">Send a first request with it:</p>
      <CodeTabs request={firstRequest(keys[0]?.secret)} />
      <div className="row actions">
        <Button label="I have copied it" onClick={close} />
      </div>
    </Dialog>
  );
}
