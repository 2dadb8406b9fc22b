import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds a port of loopback that nothing uses at present, for a program that does not choose one itself. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
