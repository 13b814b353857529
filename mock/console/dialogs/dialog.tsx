import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  /** Also called for Escape. */
  readonly onClose: () => void;
  /** False if closing by Escape would lose something for good. */
  readonly escapable?: boolean;
  readonly children: ReactNode;
}

/** A native modal dialog. The browser keeps the focus in the dialog and returns the focus when the dialog closes. */
export function Dialog({ title, onClose, escapable = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // The dialog is closed before React removes it. Only then does the browser return the focus.
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
        // Browsers close a dialog on the second Escape even if `onCancel` prevented the first.
        if (!escapable && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
