import { type ComponentProps, type ReactNode, useState } from 'react';
import { control } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useAction } from '../control/reads.ts';
import { Problem } from './text.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly label: ReactNode;
  /** What the button is about, for screen readers, which read it without its row. */
  readonly subject?: string;
  /** What it changes in the mock. Why that failed stands beside it. */
  readonly act?: () => Promise<unknown>;
  /** Whether it is of no use while the mock does not answer. */
  readonly asks?: boolean;
}

/** A button that sends no form, unless its type says so. */
export function Button({ label, subject, act, asks = !!act, disabled = false, ...button }: ButtonProps) {
  const gone = journalFeed.useConnection() === 'lost';
  const { run, failure } = useAction(async () => act?.());
  return (
    <>
      <button type="button" onClick={act && (() => void run())} {...button} disabled={disabled || (asks && gone)}>
        {label}
        {subject !== undefined && <span className="visually-hidden"> {subject}</span>}
      </button>
      {failure && <Problem text={failure.message} />}
    </>
  );
}

/** Copies a text and says for three seconds whether that worked. Browsers give pages a clipboard only on https and on localhost. */
export function CopyButton({ text, label = 'Copy', ...button }: Partial<ButtonProps> & { readonly text: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const copy = async () => {
    const written = navigator.clipboard?.writeText(text).then(() => 'Copied');
    setOutcome((await written?.catch(() => undefined)) ?? 'Select it and copy by hand');
    setTimeout(() => setOutcome(null), 3_000);
  };
  return <Button {...button} label={<span aria-live="polite">{outcome ?? label}</span>} onClick={() => void copy()} />;
}

/** A download. The page fetches the file, because a link could not send the control token that some mocks require. @param path below `/_mock` */
export function DownloadButton({ path, fileName, ...button }: ButtonProps & Record<'path' | 'fileName', string>) {
  const download = async () => {
    const url = URL.createObjectURL(await control.bytes(path));
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return <Button {...button} className="small" act={download} />;
}

/** A full id with a copy button. */
export const IdText = ({ id }: { readonly id: string }) => (
  <span className="id">
    <code>{id}</code> <CopyButton text={id} subject={id} className="plain" />
  </span>
);
