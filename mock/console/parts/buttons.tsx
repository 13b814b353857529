import { type ComponentProps, type ReactNode, useState } from 'react';
import { control } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { notices } from './notices.ts';

interface ButtonProps extends ComponentProps<'button'> {
  readonly label: ReactNode;
  /** What the button is about, for screen readers, which read it without its row. */
  readonly subject?: string;
  /** Whether it is of no use while the mock does not answer. */
  readonly asks?: boolean;
}

/** A button that sends no form, unless its type says so. */
export function Button({ label, subject, asks = false, disabled = false, ...button }: ButtonProps) {
  const gone = journalFeed.useConnection() === 'lost';
  return (
    <button type="button" {...button} disabled={disabled || (asks && gone)}>
      {label}
      {subject !== undefined && <span className="visually-hidden"> {subject}</span>}
    </button>
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
    const bytes = await control.bytes(path).catch(() => null);
    if (bytes === null) return notices.say('The download failed; try again.');
    const url = URL.createObjectURL(bytes);
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return <Button {...button} className="small" onClick={() => void download()} />;
}
