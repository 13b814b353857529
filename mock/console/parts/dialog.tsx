import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './buttons.tsx';
import { Closing, Form } from './form.tsx';
import { notices } from './notices.ts';
import { InlineCode } from './text.tsx';

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
      onCancel={(event) => !escapable && event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Browsers close a dialog on the second Escape even if `onCancel` prevented the first.
        if (!escapable && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      <Closing value={onClose}>{children}</Closing>
    </dialog>
  );
}

/** What the dialog holds is a form, which closes it. */
type DialogButtonProps = Pick<DialogProps, 'title' | 'children'> &
  Pick<ComponentProps<'button'>, 'className' | 'disabled'> & { readonly label: string };

/** A button that opens a dialog. */
export function DialogButton({ title, label, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button asks label={label} {...button} onClick={() => setOpen(true)} />
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  );
}

/** Something that cannot be undone, and that is asked for. */
interface Question extends Omit<DialogButtonProps, 'children' | 'title'> {
  readonly title?: string;
  /** The consequence, in a sentence or two. */
  readonly text: string;
  readonly act: () => Promise<unknown>;
  /** What is said after a success. */
  readonly said?: string;
}

/** A button for something that cannot be undone: it asks first. */
export const ConfirmButton = ({ text, act, said = '', ...button }: Question) => (
  <DialogButton title={button.label.replace('…', '?')} {...button}>
    <Form verb={button.label.replace('…', '')} danger act={() => act().then(() => notices.say(said))}>
      <p>
        <InlineCode text={text} />
      </p>
    </Form>
  </DialogButton>
);
