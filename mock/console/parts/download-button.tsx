import { useState } from 'react';
import { control } from '../control/control.ts';

interface DownloadButtonProps {
  /** Below `/_mock`. */
  readonly path: string;
  readonly fileName: string;
  readonly label: string;
  /** What is downloaded, for screen readers, which read the button without its row. */
  readonly subject?: string;
}

/** A download. The page fetches the file, because a link could not send the control token that some mocks require. */
export function DownloadButton({ path, fileName, label, subject }: DownloadButtonProps) {
  const [failed, setFailed] = useState(false);
  const download = async () => {
    const bytes = await control.bytes(path).catch(() => null);
    setFailed(bytes === null);
    if (bytes === null) return;
    const url = URL.createObjectURL(bytes);
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  const name = subject === undefined ? undefined : `${label} ${subject}`;
  return (
    <button type="button" className="small" aria-label={name} onClick={() => void download()}>
      {failed ? 'Failed; try again' : label}
    </button>
  );
}
