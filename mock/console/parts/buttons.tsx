import { useState } from 'react';
import { control } from '../control/control.ts';

interface ButtonProps {
  readonly label: string;
  /** What the button is about, for screen readers, which read it without its row. */
  readonly subject?: string;
  readonly className?: string;
}

/** A button that says for three seconds how its action went. @param act resolves to what is said then; null for nothing */
function TellingButton({ label, subject, className, act }: ButtonProps & { act: () => Promise<string | null> }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const run = async () => {
    setOutcome(await act());
    setTimeout(() => setOutcome(null), 3_000);
  };
  return (
    <button type="button" className={className} onClick={() => void run()}>
      <span aria-live="polite">
        {outcome ?? label}
        {subject !== undefined && <span className="visually-hidden"> {subject}</span>}
      </span>
    </button>
  );
}

/** Copies a text and says whether that worked. Browsers give pages a clipboard only on https and on localhost. */
export const CopyButton = ({ text, label = 'Copy', ...button }: Partial<ButtonProps> & { readonly text: string }) => (
  <TellingButton
    {...button}
    label={label}
    act={async () => {
      const written = navigator.clipboard?.writeText(text).then(() => 'Copied');
      return (await written?.catch(() => undefined)) ?? 'Select it and copy by hand';
    }}
  />
);

interface DownloadButtonProps extends ButtonProps {
  /** Below `/_mock`. */
  readonly path: string;
  readonly fileName: string;
}

/** A download. The page fetches the file, because a link could not send the control token that some mocks require. */
export const DownloadButton = ({ path, fileName, ...button }: DownloadButtonProps) => (
  <TellingButton
    {...button}
    className="small"
    act={async () => {
      const bytes = await control.bytes(path).catch(() => null);
      if (bytes === null) return 'Failed; try again';
      const url = URL.createObjectURL(bytes);
      Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      return null;
    }}
  />
);
