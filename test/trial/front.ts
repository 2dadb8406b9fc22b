import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The way to a deployed API under an address that every resolver knows. */
export interface Front {
  url: string;
  /** How many calls were answered, by status. */
  calls: Map<number, number>;
  close: () => Promise<void>;
}

/**
 * Passes calls on to the emulator under the host name of an API, which no resolver is asked for; counts what is answered.
 * @param apiUrl The output `ApiUrl` of the deployment
 */
export async function startFront(apiUrl: string): Promise<Front> {
  const { host, port } = new URL(apiUrl);
  const calls = new Map<number, number>();
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request(
      { hostname: '127.0.0.1', port, method, path, headers: { ...headers, host }, agent: false },
      (answer) => {
        const status = answer.statusCode ?? 0;
        calls.set(status, (calls.get(status) ?? 0) + 1);
        outgoing.writeHead(status, answer.headers);
        answer.pipe(outgoing);
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close };
}
