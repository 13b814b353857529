import { useEffect, useRef } from 'react';
import { CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { codeSample, firstRequest } from '../samples/code-samples.ts';

interface RevealDialogProps {
  readonly title: string;
  readonly keys: readonly { readonly name: string; readonly secret: string }[];
  readonly onClose: () => void;
}

/** Shows new secrets, for the only time. They exist in this dialog only and are lost when the reader leaves the page. */
export function RevealDialog({ title, keys, onClose }: RevealDialogProps) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const leave = () => close.current();
    // Closed before the reader leaves: with the back button the browser would show the dialog again.
    for (const type of ['pagehide', 'hashchange']) addEventListener(type, leave);
    return () => {
      for (const type of ['pagehide', 'hashchange']) removeEventListener(type, leave);
    };
  }, []);
  return (
    <Dialog title={title} onClose={onClose} escapable={false}>
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
      <Code text={codeSample('curl', firstRequest(keys[0]?.secret))} subject="the command" />
      <div className="row actions">
        <button type="button" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}
