import { useState } from 'react';
import { control, controlToken } from '../control/control.ts';

interface DownloadButtonProps {
  /** Below `/_mock`. */
  readonly path: string;
  readonly fileName: string;
  readonly label: string;
  /** What is downloaded, for screen readers, which read the button without its row. */
  readonly subject?: string;
}

/** A download. If the mock requires a control token, the page fetches the file, because a link cannot send the token. */
export function DownloadButton({ path, fileName, label, subject }: DownloadButtonProps) {
  const [failed, setFailed] = useState(false);
  const name = subject === undefined ? undefined : `${label} ${subject}`;
  if (controlToken.get() === null) {
    return (
      <a className="button small" href={`/_mock${path}`} download={fileName} aria-label={name}>
        {label}
      </a>
    );
  }
  const download = async () => {
    const bytes = await control.bytes(path).catch(() => null);
    setFailed(bytes === null);
    if (bytes === null) return;
    const url = URL.createObjectURL(bytes);
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <button type="button" className="small" aria-label={name} onClick={() => void download()}>
      {failed ? 'Failed; try again' : label}
    </button>
  );
}
