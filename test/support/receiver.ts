import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll } from '@jest/globals';

import { recordDelivery } from './declarations/record.ts';

/** A request to a receiver. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes as text: the input of the signature. */
  body: string;
  /** The time of the request by the system clock, in milliseconds since the epoch. */
  at: number;
}

/** The response of a receiver. */
export interface ReceiverResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

type Responder = (request: ReceivedRequest, before: number) => ReceiverResponse | Promise<ReceiverResponse>;

/** A webhook consumer on loopback. */
export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /**
   * Changes the response. A function gets each request and the number of requests before it, and may delay the response.
   */
  respondWith: (response: ReceiverResponse | Responder) => void;
  /**
   * Waits for at least this many requests and returns them.
   * @throws Error after `limitMs`
   */
  until: (count: number, limitMs?: number) => Promise<ReceivedRequest[]>;
  clear: () => void;
  close: () => Promise<void>;
}

const open = new Set<Receiver>();
afterAll(() => Promise.all([...open].map((receiver) => receiver.close())));

/** Starts a consumer that responds with 200 until this is changed; it is closed with the test file. */
export async function receiver(path = '/hooks'): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let result: ReceiverResponse | Responder = {};
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const received: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString('utf8'),
        at: Date.now(),
      };
      const chosen = typeof result === 'function' ? result(received, requests.length) : result;
      requests.push(received);
      recordDelivery(received.body);
      void reply(response, chosen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    respondWith: (next) => void (result = next),
    until: async (count, limitMs = 30_000) => {
      const deadline = performance.now() + limitMs;
      while (requests.length < count) {
        if (performance.now() > deadline) throw new Error(`${requests.length} of ${count} requests in ${limitMs} ms`);
        await delay(5);
      }
      return [...requests];
    },
    clear: () => void requests.splice(0),
    close: () => {
      open.delete(made);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  open.add(made);
  return made;
}

async function reply(response: ServerResponse, received: ReceiverResponse | Promise<ReceiverResponse>): Promise<void> {
  const { status = 200, headers = {}, body = '', delayMs = 0 } = await received;
  if (delayMs > 0) await delay(delayMs);
  response.writeHead(status, headers).end(body);
}
