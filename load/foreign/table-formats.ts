import { sendsNothing } from './jmeter.ts';

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
  /** Only records with this value of a field are requests. */
  readonly only?: readonly [field: string, value: string];
  /** Records that are no requests. */
  readonly not?: (fields: Readonly<Record<string, string>>) => boolean;
}

/** What a browser took from its cache, and what has no path of a server, such as `data:`. */
const neverSent: TableFormat['not'] = ({ cached, request = '' }) => cached !== undefined || !/^[A-Z]+ \//.test(request);

/** Formats by their fields; the first that a file has all fields of is taken. A new tool is one line here. */
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
    not: sendsNothing,
  },
  {
    name: 'k6 --out csv',
    done: ['timestamp'],
    took: ['metric_value', 1],
    operation: 'name',
    only: ['metric_name', 'http_req_duration'],
  },
  {
    name: 'k6 --out json',
    done: ['time'],
    took: ['value', 1],
    operation: 'name',
    only: ['metric', 'http_req_duration'],
  },
  { name: 'nginx ($msec, $request_time)', done: ['msec'], took: ['request_time', 1000], operation: 'uri' },
  { name: 'Envoy', sent: ['start_time'], took: ['duration', 1], status: 'response_code', operation: 'path' },
  {
    name: 'HAR',
    sent: ['startedDateTime'],
    took: ['time', 1],
    status: 'response.status',
    operation: 'request',
    not: neverSent,
  },
];

export const fieldsOf = ({ sent, done, took, status = 'status', only }: TableFormat): readonly string[] =>
  [sent?.[0], done?.[0], took?.[0], status, only?.[0]].filter((field) => field !== undefined);
