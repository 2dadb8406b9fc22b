import type { IncomingHttpHeaders } from 'node:http';

/** The dependencies of functions, by the names that faults and counters use. */
export const dependencies = ['table', 'keys', 'bus', 'queues', 'blobs', 'mail', 'sms'] as const;
export type Dependency = (typeof dependencies)[number];

/** The name of a dependency in the AWS clients' variable `AWS_ENDPOINT_URL_…`. */
export const endpointVariables: Readonly<Record<Dependency, string>> = {
  table: 'AWS_ENDPOINT_URL_DYNAMODB',
  keys: 'AWS_ENDPOINT_URL_KMS',
  bus: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  queues: 'AWS_ENDPOINT_URL_SQS',
  blobs: 'AWS_ENDPOINT_URL_S3',
  mail: 'AWS_ENDPOINT_URL_SESV2',
  sms: 'AWS_ENDPOINT_URL_SNS',
};

/** The operation of a call: its name in the API of AWS, or the HTTP method for the object store. */
export function readOperation(
  dependency: Dependency,
  method: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): string {
  if (dependency === 'blobs') return method;
  if (dependency === 'mail') return method === 'POST' ? 'SendEmail' : method;
  if (dependency === 'sms') return new URLSearchParams(body.toString('utf8')).get('Action') ?? method;
  return String(headers['x-amz-target']).split('.').at(-1) ?? method;
}

/** An error response of a dependency. */
export interface FailedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An error in the protocol that the dependency's clients read. */
export function makeFailedResponse(
  dependency: Dependency,
  status: number,
  code: string,
  extra: object = {},
): FailedResponse {
  const message = `Injected by /_local/faults: ${code}`;
  if (dependency === 'sms') {
    const body =
      `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type>` +
      `<Code>${code}</Code><Message>${message}</Message></Error><RequestId>injected</RequestId></ErrorResponse>`;
    return { status, headers: { 'content-type': 'text/xml' }, body };
  }
  if (dependency === 'blobs') {
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    return { status, headers: { 'content-type': 'application/xml' }, body };
  }
  const type = dependency === 'mail' ? 'application/json' : 'application/x-amz-json-1.0';
  const headers = { 'content-type': type, 'x-amzn-errortype': code, 'x-amzn-query-error': `${code};Sender` };
  return { status, headers, body: JSON.stringify({ __type: code, message, ...extra }) };
}

type Codes = Readonly<Record<Dependency, readonly [status: number, code: string]>>;

/** The throttling error of each dependency. */
const throttleCodes: Codes = {
  table: [400, 'ProvisionedThroughputExceededException'],
  keys: [400, 'ThrottlingException'],
  bus: [400, 'ThrottlingException'],
  queues: [400, 'RequestThrottled'],
  blobs: [503, 'SlowDown'],
  mail: [429, 'TooManyRequestsException'],
  sms: [400, 'Throttling'],
};

/** The unavailability error of each dependency. */
export const unavailableCodes: Codes = {
  table: [500, 'InternalServerError'],
  keys: [500, 'KMSInternalException'],
  bus: [500, 'InternalException'],
  queues: [500, 'InternalFailure'],
  blobs: [500, 'InternalError'],
  mail: [500, 'InternalServiceErrorException'],
  sms: [500, 'InternalError'],
};

/** The error of each dependency that clients do not retry. */
const rejectionCodes: Codes = {
  table: [400, 'AccessDeniedException'],
  keys: [400, 'AccessDeniedException'],
  bus: [400, 'AccessDeniedException'],
  queues: [403, 'AccessDenied'],
  blobs: [403, 'AccessDenied'],
  mail: [400, 'MessageRejected'],
  sms: [403, 'AuthorizationError'],
};

/** The status and code of the response that a fault of this kind has instead of a call; undefined for kinds that do not replace it. */
export function findReplacement(
  kind: string,
  dependency: Dependency,
): readonly [status: number, code: string] | undefined {
  if (kind === 'throttle') return throttleCodes[dependency];
  if (kind === 'unavailable') return unavailableCodes[dependency];
  return kind === 'refuse' ? rejectionCodes[dependency] : undefined;
}
