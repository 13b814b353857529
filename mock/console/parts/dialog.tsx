import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Form } from './form.tsx';
import { notices } from './notices.ts';

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
        event.stopPropagation();
        // Browsers close a dialog on the second Escape even if `onCancel` prevented the first.
        if (!escapable && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Something that cannot be undone, and that is asked for. */
export interface Question {
  readonly title: string;
  /** The consequence, in a sentence or two. */
  readonly text: ReactNode;
  /** The label of the button. */
  readonly verb: string;
  readonly act: () => Promise<unknown>;
  /** What is said after a success, and the dialog closes. Without it, `act` goes on. */
  readonly said?: string;
}

interface ConfirmProps {
  readonly question: Question | null;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ question, onClose }: ConfirmProps) {
  if (question === null) return null;
  const { title, text, verb, act, said } = question;
  const actAndSay = async () => {
    await act();
    if (said === undefined) return;
    notices.say(said);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form verb={verb} danger onCancel={onClose} act={actAndSay}>
        <p>{text}</p>
      </Form>
    </Dialog>
  );
}
