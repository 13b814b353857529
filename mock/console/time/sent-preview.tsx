import { prettyJson } from '../../../spec/text/json-or-undefined.ts';
import { sampleOf, statusReply } from '../../faults/status-reply.ts';
import type { FaultSpec } from '../control/control-types.ts';
import { describeEffect, describeTarget } from './describe-fault.ts';

/** What a fault will do, with the reply that it will send. */
export function SentPreview({ spec }: { readonly spec: FaultSpec }) {
  return (
    <section className="sent" aria-labelledby="sent">
      <h3 id="sent">What will be sent</h3>
      <p>
        To {describeTarget(spec)}: the mock {describeEffect(spec)}.
      </p>
      {spec.reply !== undefined && isStatus(spec.reply.status) && <pre>{asText(spec.reply, spec.operationId)}</pre>}
    </section>
  );
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 200 && status <= 599;

function asText(reply: NonNullable<FaultSpec['reply']>, id: FaultSpec['operationId']): string {
  const { status, headers, body } = statusReply({ ...reply, body: reply.body ?? sampleOf(id, reply.status) });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, '', body === null ? '' : prettyJson(String(body))].join('\n').trimEnd();
}
