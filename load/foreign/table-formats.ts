export type Fields = Readonly<Record<string, string>>;

/** A format whose records have named fields, as CSV with a header or as JSON, one object a line. */
export interface TableFormat {
  readonly name: string;
  /** When it was sent; or `done`, when it ended. With what one unit is in ms where times may count from the begin of the run. */
  readonly sent?: readonly [field: string, relativeUnit?: number];
  readonly done?: readonly [field: string, relativeUnit?: number];
  readonly took?: readonly [field: string, unit: number];
  /** By default: status. */
  readonly status?: string;
  readonly operation?: string;
  /** Whether a record is a request. */
  readonly isRequest?: (fields: Fields) => boolean;
}

/** Not what a browser took from its cache, nor what has no path of a server, such as `data:`. */
const wasSent = ({ cached, request = '' }: Fields) => cached === undefined && /^[A-Z]+ \//.test(request);

/** Not a transaction, nor a sampler that only runs a script or waits: both have no URL. */
const isSampler = ({ URL: url, responseMessage = '' }: Fields) =>
  url !== '' && url !== 'null' && !responseMessage.startsWith('Number of samples in transaction');

/** Of k6, not a point of another metric; CSV names it otherwise than JSON. */
const isTimed = ({ metric, metric_name = metric }: Fields) => metric_name === 'http_req_duration';

/** Formats by their fields; the first that a file has all fields of is taken. A new tool is one entry here. */
export const tableFormats: readonly TableFormat[] = [
  { name: 'columns sentAt, doneAt', sent: ['sentAt', 1], done: ['doneAt', 1], operation: 'operation' },
  { name: 'columns sentAt, durationMs', sent: ['sentAt', 1], took: ['durationMs', 1], operation: 'operation' },
  { name: 'vegeta encode', sent: ['timestamp'], took: ['latency', 1e-6], status: 'code', operation: 'url' },
  { name: 'hey -o csv', sent: ['offset', 1000], took: ['response-time', 1000], status: 'status-code' },
  { name: 'oha --output-format csv', sent: ['request-start', 1000], took: ['request-duration', 1000] },
  {
    name: 'JMeter JTL',
    sent: ['timeStamp'],
    took: ['elapsed', 1],
    status: 'responseCode',
    operation: 'label',
    isRequest: isSampler,
  },
  { name: 'k6 --out csv', done: ['timestamp'], took: ['metric_value', 1], operation: 'name', isRequest: isTimed },
  { name: 'k6 --out json', done: ['time'], took: ['value', 1], operation: 'name', isRequest: isTimed },
  { name: 'nginx ($msec, $request_time)', done: ['msec'], took: ['request_time', 1000], operation: 'uri' },
  { name: 'Envoy', sent: ['start_time'], took: ['duration', 1], status: 'response_code', operation: 'path' },
  {
    name: 'HAR',
    sent: ['startedDateTime'],
    took: ['time', 1],
    status: 'response.status',
    operation: 'request',
    isRequest: wasSent,
  },
];

export const fieldsOf = ({ sent, done, took, status = 'status' }: TableFormat): readonly string[] =>
  [sent?.[0], done?.[0], took?.[0], status].filter((field) => field !== undefined);
