import type { ReactNode } from 'react';
import { useAction } from '../control/use-action.ts';
import { Problem } from '../parts/problem.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** The consequence, in a sentence or two. */
  readonly children: ReactNode;
  /** The label of the button. */
  readonly verb: string;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
  /** Called after a success. By default the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, children, verb, act, onClose, onDone = onClose }: ConfirmDialogProps) {
  const { run, problem } = useAction(act);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Problem text={problem} />
      <div className="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="danger"
          onClick={async () => {
            if (await run()) onDone();
          }}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
