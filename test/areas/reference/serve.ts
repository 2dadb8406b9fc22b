import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readBody } from '../../../lib/local/listen.ts';
import type { Target } from '../../contract/target.ts';

/** The functions of this process at an HTTP address, for clients in other processes. */
export interface Served {
  url: string;
  /** The method and path of each request. */
  requests: string[];
  close: () => void;
}

/** Serves the functions of a target over HTTP on loopback. */
export async function serveTarget(target: Target): Promise<Served> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    readBody(request, Infinity)
      .then(async (bytes) => {
        const body = bytes?.toString('utf8') ?? '';
        const { method = 'GET', url: path = '/' } = request;
        requests.push(`${method} ${path}`);
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const received = await target.send(method, path, { headers, ...(body !== '' && { body }) });
        response.writeHead(received.status, received.headers).end(received.text);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
