import { Agent, request } from 'node:http';

import { AwsError } from './aws-json.ts';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/**
 * The value for the Authorization header. The runtime's own calls have no real signature, because engines on this machine
 * only check its form.
 */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/local/aws4_request, SignedHeaders=host;x-amz-date, Signature=0';

/** The address of an engine and the protocol of its calls. */
export interface Engine {
  url: string;
  /** The protocol's service name, as it precedes the operation in X-Amz-Target. */
  service: string;
  /** AWS JSON: 1.0 for DynamoDB and SQS, 1.1 for EventBridge. */
  version: '1.0' | '1.1';
  /** Carries out an operation within this process; absent for an engine that is called by HTTP. @throws AwsError */
  run?: (operation: string, input: object) => object;
}

/**
 * Calls one operation of an engine in the AWS JSON protocol, bypassing the proxy: the runtime's own traffic gets no
 * injected fault and is not counted.
 * @throws AwsError the engine's error response; Error when it cannot be reached
 */
export async function callAws<Output>(
  engine: Engine,
  operation: string,
  input: object,
  signal?: AbortSignal,
): Promise<Output> {
  if (engine.run !== undefined) return engine.run(operation, input) as Output;
  const { status, body } = await exchangeAws(engine, operation, input, signal);
  if (status >= 300) {
    const { __type, message, Message } = body as { __type?: string; message?: string; Message?: string };
    const type = __type?.split('#').at(-1) ?? 'UnknownError';
    throw new AwsError(type, message ?? Message ?? `${operation} responded with ${status}`, status);
  }
  return body as Output;
}

/**
 * Calls one operation of an engine by HTTP.
 * @returns the response, an error included
 * @throws Error when the engine cannot be reached
 */
export async function exchangeAws(
  { url, service, version }: Engine,
  operation: string,
  input: object,
  signal?: AbortSignal,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await post(
    url,
    {
      'content-type': `application/x-amz-json-${version}`,
      'x-amz-target': `${service}.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization: AUTHORIZATION,
    },
    JSON.stringify(input),
    signal,
  );
  return { status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers, ...(signal && { signal }) }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
