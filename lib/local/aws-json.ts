import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

import type { AwsReply } from './in-process-call.ts';

/** The account and region that every local ARN names. */
export const account = '000000000000';
export const region = 'us-east-1';

/** An error in the form that AWS clients read: `type` becomes the client's `error.name`. */
export class AwsError extends Error {
  readonly type: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  /**
   * @param type the exception's name, such as `ThrottlingException`
   * @param status HTTP status; official clients retry 500, 502, 503 and 504, and throttling by its name
   * @param retryAfterMs minimum wait of a retrying client, in milliseconds
   */
  constructor(type: string, message: string, status = 400, retryAfterMs?: number) {
    super(message);
    this.type = type;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A hook that receives an operation's name before the operation runs. It may delay the call, or fail it with an `AwsError`. */
export type Faults = (operation: string) => Promise<void> | void;

/** An operation, which gets the request's JSON and returns the response's members (undefined for an empty body). */
export type Operation = (input: unknown) => object | undefined | Promise<object | undefined>;

/** A running server. */
export interface AwsJsonServer {
  /** The endpoint for AWS clients, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Carries out an operation without HTTP. */
  readonly run: (operation: string, input: object) => Promise<AwsReply>;
  /** Rejects new calls and closes open connections. */
  close(): Promise<void>;
}

const maxBodyBytes = 4 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The schema of a base64 member, which is decoded and has `min` to `max` bytes. */
export const blob = (max: number, min = 1) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(
      (bytes) => bytes.length >= min && bytes.length <= max,
      `Member must have a length of ${min} to ${max} bytes`,
    );

/**
 * An operation whose input is validated by a schema first. Invalid input gets a `ValidationException` with the member's
 * path and without its value, which may be a secret.
 */
export function operation<S extends z.ZodType>(
  schema: S,
  handle: (input: z.output<S>) => ReturnType<Operation>,
): Operation {
  return (json) => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return handle(parsed.data);
    const found = parsed.error.issues.map(
      ({ path, message }) => `Value at '${path.join('.') || 'input'}' failed to satisfy constraint: ${message}`,
    );
    throw new AwsError('ValidationException', `${found.length} validation error detected: ${found.join('; ')}`);
  };
}

/**
 * Serves the AWS JSON 1.1 protocol on a free port of 127.0.0.1: POST, the operation in `X-Amz-Target`
 * (`<target>.<Operation>`), JSON in and out, errors as `{ __type, message }`. Signatures are not checked.
 * https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export async function serveAwsJson(
  target: string,
  operations: Readonly<Record<string, Operation>>,
  faults?: Faults,
): Promise<AwsJsonServer> {
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const requestId = randomUUID();
    respond(request, target, operations, faults).then(
      (body) => send(response, requestId, 200, body),
      (error: unknown) => sendError(response, requestId, error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    run: async (name, input) => {
      try {
        return { status: 200, body: (await runOperation(operations, name, input, faults)) ?? {} };
      } catch (error) {
        const { status, type, message } = asAwsError(error);
        return { status, body: { __type: type, message } };
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  target: string,
  operations: Readonly<Record<string, Operation>>,
  faults: Faults | undefined,
): Promise<object | undefined> {
  // A page in a browser can reach this port under its own host name (DNS rebinding); the AWS client never uses another
  // name.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
    throw new AwsError('AccessDeniedException', 'This server only responds on the loopback address.', 403);
  }
  const [service, name = ''] = String(request.headers['x-amz-target']).split('.');
  if (request.method !== 'POST' || service !== target) throw unknownOperation();
  return runOperation(operations, name, parseJson(await readBody(request)), faults);
}

const unknownOperation = (): AwsError =>
  new AwsError('UnknownOperationException', 'The operation is not known to this server.');

async function runOperation(
  operations: Readonly<Record<string, Operation>>,
  name: string,
  input: unknown,
  faults: Faults | undefined,
): Promise<Record<string, unknown> | undefined> {
  const run = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (run === undefined) throw unknownOperation();
  await faults?.(name);
  return (await run(input)) as Record<string, unknown> | undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBodyBytes) throw new AwsError('RequestEntityTooLargeException', 'The request is too large.', 413);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parseJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : (JSON.parse(utf8.decode(body)) as unknown);
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON in UTF-8.');
  }
}

function send(response: ServerResponse, requestId: string, status: number, body: object | undefined): void {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'content-length': bytes.length,
    'x-amzn-requestid': requestId,
  });
  response.end(bytes);
}

const asAwsError = (error: unknown): AwsError =>
  error instanceof AwsError ? error : new AwsError('InternalFailure', `The local server failed: ${String(error)}`, 500);

function sendError(response: ServerResponse, requestId: string, error: unknown): void {
  const known = asAwsError(error);
  response.setHeader('x-amzn-errortype', known.type);
  if (known.retryAfterMs !== undefined) response.setHeader('x-amz-retry-after', known.retryAfterMs);
  send(response, requestId, known.status, { __type: known.type, message: known.message });
}
