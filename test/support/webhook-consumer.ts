import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received webhook. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact body, which is the input of the signature. */
  text: string;
  /** The time, from `performance.now()` of this process. */
  at: number;
}

/** Responds to one webhook. */
export type Reply = (arrival: Arrival, response: ServerResponse) => void;

/** A consumer of webhooks on loopback, in this process. */
export interface Consumer {
  /** The address of a separate endpoint below this path. */
  url: (path: string) => string;
  received: Arrival[];
  /** The reply, which is a 204 until it is changed. */
  reply: Reply;
  close: () => Promise<void>;
}

/** Starts a consumer on a free port. */
export async function startConsumer(): Promise<Consumer> {
  const received: Arrival[] = [];
  const server = createServer((request, response) => {
    const at = performance.now();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const arrival = { path: request.url ?? '/', headers: request.headers, text, at };
      received.push(arrival);
      consumer.reply(arrival, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const consumer: Consumer = {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    reply: (_, response) => void response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return consumer;
}
