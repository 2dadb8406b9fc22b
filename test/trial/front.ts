import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy to a deployed API, with an address that every resolver knows. */
export interface Front {
  url: string;
  /** Numbers of responses, by status. */
  calls: Map<number, number>;
  /** The calls that got a 5xx, with their methods and paths. */
  faults: string[];
  close: () => Promise<void>;
}

/**
 * Forwards calls to the emulator under the host name of an API without resolving it, and counts the responses.
 * @param apiUrl the output `ApiUrl` of the deployment
 */
export async function startFront(apiUrl: string): Promise<Front> {
  const { host, port } = new URL(apiUrl);
  const calls = new Map<number, number>();
  const faults: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request(
      { hostname: '127.0.0.1', port, method, path, headers: { ...headers, host }, agent: false },
      (response) => {
        const status = response.statusCode ?? 0;
        calls.set(status, (calls.get(status) ?? 0) + 1);
        if (status >= 500) faults.push(`${status} ${method} ${path?.split('?', 1)[0]}`);
        outgoing.writeHead(status, response.headers);
        response.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, faults, close };
}
