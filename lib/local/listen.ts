import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message for the developer who started the command: one paragraph, no stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/**
 * The range in which to find a free port for another process: below the ephemeral ports of the system (Linux from 32768
 * on, others from 49152 on), which connections could take before that process starts.
 */
export const freePorts = { first: 20_000, last: 32_000 } as const;

/**
 * Listens on a loopback address; port 0 selects a free one.
 * @returns the port
 * @throws NodeJS.ErrnoException such as EADDRINUSE
 */
export function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops listening and closes open connections. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Reads the whole body of a message.
 * @returns undefined if it is larger than `maxBytes`; the rest is discarded on arrival
 */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) parts.length = 0;
    else parts.push(part);
  }
  return size > maxBytes ? undefined : Buffer.concat(parts);
}
