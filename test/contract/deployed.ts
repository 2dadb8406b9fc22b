import { Agent, request } from 'node:http';

import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import type { CallResponse, CallOptions } from '../kernel/http/calls.ts';
import { recordResponse } from '../support/declarations/record.ts';

/** A deployed stage that contract tests call. */
export interface DeployedTarget {
  /** The URL of the API, on loopback. */
  url: string;
  /** The variables with which this process accesses the table and the keys of the stage, like its functions. */
  variables: Record<string, string>;
}

/** Time-out of a response, in ms. */
const LIMIT_MS = 35_000;

/**
 * Sets this process's kernel to use the stage.
 * @returns a function that calls its API as a client does
 */
export function openDeployed({ url, variables }: DeployedTarget): {
  send: (method: string, target: string, options?: CallOptions) => Promise<CallResponse>;
  stop: () => Promise<void>;
} {
  Object.assign(process.env, variables);
  forgetSettings();
  closeTableClient();
  const agent = new Agent({ keepAlive: true });
  return {
    send: async (method, target, options) => {
      const response = await sendOver(agent, url, method, target, options);
      recordResponse(method, target.split('?', 1)[0] ?? '', response.status, response.json);
      return response;
    },
    stop: async () => {
      agent.destroy();
      closeTableClient();
    },
  };
}

function sendOver(
  agent: Agent,
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: CallOptions = {},
): Promise<CallResponse> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, agent, timeout: LIMIT_MS, headers: { ...headers, ...length } };
    const call = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve(toResponse(response.statusCode ?? 0, response.headers, Buffer.concat(parts))));
    });
    call.on('timeout', () => call.destroy(new Error(`${method} ${path} had no response in ${LIMIT_MS} ms`)));
    call.on('error', reject);
    call.end(body);
  });
}

function toResponse(status: number, headers: NodeJS.Dict<string | string[]>, body: Buffer): CallResponse {
  const text = body.toString('utf8');
  const { 'set-cookie': cookies = [], ...others } = headers;
  const isJson = String(others['content-type'] ?? '').startsWith('application/json');
  return {
    status,
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    text,
    cookies: [cookies].flat(),
    json: isJson ? parsed(text) : undefined,
  };
}

/** The body as JSON; an empty body that a gateway marks as JSON is undefined. */
const parsed = (text: string): unknown => (text === '' ? undefined : (JSON.parse(text) as unknown));
