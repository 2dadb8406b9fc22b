import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A dependency that accepts requests and does not respond. */
export interface SilentEndpoint {
  url: string;
  /** Number of complete requests that the endpoint has received. */
  readonly requests: number;
  /**
   * The bytes that it sends before it stops: at first none, or the head of a response and the beginning of its body.
   */
  mode: 'nothing' | 'half a response';
  clear: () => void;
  close: () => Promise<void>;
}

/** Starts such a dependency on loopback. */
export async function startSilentEndpoint(): Promise<SilentEndpoint> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      if (endpoint.mode === 'half a response') response.writeHead(200, { 'content-length': '100' }).write('{');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint: SilentEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    mode: 'nothing',
    clear: () => void (requests = 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return endpoint;
}
