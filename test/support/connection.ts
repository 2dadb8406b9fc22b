import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A request to the service. */
export interface Sent {
  method: string;
  path: string;
  /** The body, which is sent as JSON, or as a form if it is one. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Replaces the environment's key; null sends none. */
  key?: string | null;
}

/** A response. */
export interface ConnectionResponse<T = unknown> {
  status: number;
  /** The headers, with names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body, parsed as JSON; undefined if there is none. */
  body: T;
}

/** A client with little overhead, for programs that measure or load the service. */
export interface Connection {
  url: string;
  apiKey: string;
  /**
   * Sends a request.
   * @throws Error if there is no response
   */
  send: <T = unknown>(sent: Sent) => Promise<ConnectionResponse<T>>;
  /**
   * Sends a request that must succeed, again after a 503. @throws Error with the response for any other status from 300
   * on
   */
  demand: <T = unknown>(sent: Sent) => Promise<T>;
  /** Sends a request like `demand` to a path under `/_local`. */
  control: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
  close: () => void;
}

/** Time-out of a response, in ms. */
const TIMEOUT_MS = 35_000;
const DEMANDS = 5;

/** A connection to the service at `url` (loopback), with as many sockets as parallel requests. */
export function connect(url: string, apiKey: string): Connection {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  function send<T>({ method, path, body, headers = {}, key = apiKey }: Sent): Promise<ConnectionResponse<T>> {
    const isForm = body instanceof URLSearchParams;
    const text = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body);
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const all = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const call = request({ hostname, port, method, path, headers: all, agent, timeout: TIMEOUT_MS }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const json = parsed(Buffer.concat(parts).toString('utf8')) as T;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: json });
        });
      });
      call.on('timeout', () => call.destroy(new Error(`${method} ${path} had no response in ${TIMEOUT_MS} ms`)));
      call.on('error', reject);
      call.end(text);
    });
  }

  async function demand<T>(sent: Sent): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body } = await send<T>(sent);
      if (status < 300) return body;
      if (status !== 503 || attempt === DEMANDS) {
        throw new Error(`${sent.method} ${sent.path} responded ${status}: ${JSON.stringify(body).slice(0, 500)}`);
      }
      await delay(1_000);
    }
  }

  return {
    url,
    apiKey,
    send,
    demand,
    control: (method, path, body) => demand({ method, path: `/_local/${path}`, body, key: null }),
    close: () => agent.destroy(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
