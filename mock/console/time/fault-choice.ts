import { isOperationId } from '../../../spec/operations.ts';
import type { FaultSpec } from '../control/control-types.ts';

/** The effects that the form offers. */
export const effects = {
  reply: 'Answer with a status',
  latency: 'Delay the reply',
  before: 'Close the connection before the operation runs',
  after: 'Close the connection after it has run',
  truncated: 'Cut the reply off half-way',
  malformed: 'Send a body that is not JSON',
} as const;
type Effect = keyof typeof effects;

/** The values of the form. An empty field sets no limit. */
export interface FaultChoice {
  readonly effect: Effect;
  readonly status: string;
  readonly retryAfter: string;
  readonly latency: string;
  readonly operation: string;
  readonly path: string;
  readonly tenant: string;
  readonly key: string;
  readonly times: string;
  readonly lasts: string;
  readonly percent: string;
}

export const noChoice: FaultChoice = {
  effect: 'reply',
  status: '503',
  retryAfter: '',
  latency: '2s',
  operation: '',
  path: '',
  tenant: '',
  key: '',
  times: '',
  lasts: '',
  percent: '',
};

function effectOf({ effect, status, retryAfter, latency }: FaultChoice): FaultSpec {
  switch (effect) {
    case 'reply':
      return { reply: { status: Number(status), ...(retryAfter !== '' && { retryAfter: Number(retryAfter) }) } };
    case 'latency':
      return { latency };
    case 'before':
    case 'after':
      return { drop: effect };
    case 'truncated':
    case 'malformed':
      return { damage: effect };
  }
}

/** The fault that the form specifies. */
export const specOf = (choice: FaultChoice): FaultSpec => ({
  ...effectOf(choice),
  ...(isOperationId(choice.operation) && { operationId: choice.operation }),
  ...(choice.path !== '' && { path: choice.path }),
  ...(choice.tenant !== '' && { tenant: choice.tenant }),
  ...(choice.key !== '' && { key: choice.key }),
  ...(choice.times !== '' && { times: Number(choice.times) }),
  ...(choice.lasts !== '' && { lasts: choice.lasts }),
  ...(choice.percent !== '' && { probability: Number(choice.percent) / 100 }),
});
