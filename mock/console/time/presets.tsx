import type { FaultSpec } from '../control/control-types.ts';

/** Frequently used faults, one button each. */
const presets: readonly { readonly name: string; readonly spec: FaultSpec }[] = [
  { name: 'Next 3 requests get 429', spec: { times: 3, reply: { status: 429 } } },
  { name: 'Storage is down for a minute', spec: { path: '/storage/*', lasts: '1m', reply: { status: 503 } } },
  { name: 'Replies are slow', spec: { latency: { median: '300ms', p99: '3s' } } },
  { name: 'One reply in ten is lost', spec: { probability: 0.1, drop: 'after' } },
];

interface PresetsProps {
  readonly add: (spec: FaultSpec) => void;
}

export function Presets({ add }: PresetsProps) {
  return (
    <div className="row">
      {presets.map(({ name, spec }) => (
        <button key={name} type="button" onClick={() => add(spec)}>
          {name}
        </button>
      ))}
    </div>
  );
}
