import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The error of SES or SNS for a message. */
export interface Rejection {
  /** The status; with 0 the message is accepted, and the connection is closed before the response. */
  status: number;
  code: string;
  message?: string;
}

/** A mail that was sent to SES, or the parameters of an SNS call. */
export interface Handed {
  service: 'ses' | 'sns';
  body: Record<string, unknown>;
}

/** SES and SNS over HTTP, which accept messages and fail on request. */
export interface Providers {
  handed: Handed[];
  /** The errors of the next calls, one for each. */
  rejections: Rejection[];
  stop: () => Promise<void>;
}

/** Starts both on one port, which this process's clients use. */
export async function startProviders(): Promise<Providers> {
  const handed: Handed[] = [];
  const rejections: Rejection[] = [];
  const server = createServer((request, response) => void respond(request, response, handed, rejections));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_SESV2: url, AWS_ENDPOINT_URL_SNS: url });
  return {
    handed,
    rejections,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  handed: Handed[],
  rejections: Rejection[],
): Promise<void> {
  const text = Buffer.concat(await request.toArray()).toString();
  const service = request.url === '/v2/email/outbound-emails' ? 'ses' : 'sns';
  const rejection = rejections.shift();
  if (rejection?.status === 0) {
    handed.push({ service, body: service === 'ses' ? (JSON.parse(text) as Record<string, unknown>) : {} });
    response.destroy();
    return;
  }
  if (rejection !== undefined) return reject(response, service, rejection);
  if (service === 'ses') {
    handed.push({ service, body: JSON.parse(text) as Record<string, unknown> });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ MessageId: `ses-${handed.length}` }));
    return;
  }
  handed.push({ service, body: Object.fromEntries(new URLSearchParams(text)) });
  response.setHeader('content-type', 'text/xml');
  response.end(
    `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>sns-${handed.length}</MessageId></PublishResult></PublishResponse>`,
  );
}

function reject(response: ServerResponse, service: Handed['service'], { status, code, message = '' }: Rejection): void {
  response.statusCode = status;
  if (service === 'ses') {
    response.setHeader('x-amzn-errortype', code);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ message }));
  } else {
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    );
  }
}
