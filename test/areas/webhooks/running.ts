import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { WorkOS } from '@workos-inc/node';

/** An answer of the service. */
export interface Answer<T> {
  status: number;
  body: T;
}

/** A whole local Gatehouse in a process of its own, with what a test needs to drive it. */
export interface Running {
  sdk: () => WorkOS;
  call: <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<Answer<T>>;
  /** Moves its clock. */
  advance: (seconds: number) => Promise<void>;
  fault: (fault: object) => Promise<void>;
  clearFaults: () => Promise<void>;
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a Gatehouse that keeps nothing. */
export async function startGatehouse(): Promise<Running> {
  const root = new URL('../../..', import.meta.url);
  const args = ['bin/local.ts', '--ephemeral', '--port', '0', '--json', '--no-limits', '--quiet', '--until-stdin-ends'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', GATEHOUSE_LOG_LEVEL: process.env.GATEHOUSE_LOG_LEVEL ?? 'silent' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const { url, api_key: apiKey } = JSON.parse(first) as { url: string; api_key: string };
  const { hostname, port } = new URL(url);

  const send = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(path.startsWith('/_local') ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
  const control = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status } = await send(method, `/_local/${path}`, body);
    if (status >= 300) throw new Error(`/_local/${path} answered ${status}`);
  };
  return {
    sdk: () => new WorkOS(apiKey, { apiHostname: hostname, port: Number(port), https: false }),
    call: send,
    advance: (seconds) => control('POST', 'clock', { advance_seconds: seconds }),
    fault: (fault) => control('POST', 'faults', fault),
    clearFaults: () => control('DELETE', 'faults'),
    reset: () => control('POST', 'reset', {}),
    stop: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** A webhook as it arrived. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** A receiver of webhooks on loopback. */
export interface Receiver {
  url: (path?: string) => string;
  received: Received[];
  /** Answers each webhook; 200 at once by default. */
  answer: (one: Received, response: ServerResponse) => void | Promise<void>;
  close: () => Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => void handle(request, response));
  const receiver: Receiver = {
    url: (path = '/') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received: [],
    answer: (_, response) => void response.writeHead(200).end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      path: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    };
    receiver.received.push(one);
    await receiver.answer(one, response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return receiver;
}

/** Waits until something holds; fails with what it last was when it never does. */
export async function eventually<T>(look: () => T | Promise<T>, holds: (value: T) => boolean, ms = 10_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms; at last: ${JSON.stringify(value).slice(0, 500)}`);
    await delay(20);
  }
}
