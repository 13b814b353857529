import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  /** Also called for Escape. */
  readonly onClose: () => void;
  /** False where closing by Escape would lose something for good. */
  readonly escapable?: boolean;
  readonly children: ReactNode;
}

/** A modal of the browser's own: it holds the focus, makes the page behind inert, and gives the focus back. */
export function Dialog({ title, onClose, escapable = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed before it leaves the document: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onCancel={(event) => {
        if (!escapable && event.target === event.currentTarget) event.preventDefault();
      }}
      onKeyDown={(event) => {
        // Browsers let a second Escape through whatever is said to the first.
        if (!escapable && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
