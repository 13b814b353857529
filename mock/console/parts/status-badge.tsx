interface StatusBadgeProps {
  readonly status: number;
  /** How a fault damaged the reply. */
  readonly broken: 'dropped' | 'truncated' | null;
}

const kinds = ['', '', 'good', '', 'warn', 'bad'];

/** The status of a reply, or `dropped` if a fault kept the reply from arriving. */
export function StatusBadge({ status, broken }: StatusBadgeProps) {
  if (broken === 'dropped') return <span className="badge bad">dropped</span>;
  return <span className={`badge ${kinds[Math.floor(status / 100)] ?? ''}`}>{status}</span>;
}
