import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as SocketServer,
  type Socket,
} from 'node:net';
import { createEgress, type Egress, type EgressError, type Resolver } from '../../../functions/kernel/egress/egress.ts';

/** The servers that a test has opened, which are closed after it. */
const open: { close(): void }[] = [];

export function closeAll(): void {
  for (const each of open.splice(0)) each.close();
}

async function listen(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  });
  return (server.address() as AddressInfo).port;
}

export const listenHttp = (listener: RequestListener) => listen(createServer(listener));

export const listenHttps = (identity: { key: string; cert: string }, listener: RequestListener) =>
  listen(createSecureServer(identity, listener));

/** A TCP server, for responses that no HTTP library would send. */
export const listenRaw = (onSocket: (socket: Socket) => void) =>
  listen(
    createSocketServer((socket) => {
      socket.on('error', () => socket.destroy());
      open.push({ close: () => socket.destroy() });
      onSocket(socket);
    }),
  );

/** A resolver of these names; a function may return different addresses each time. */
export function fakeResolver(names: Record<string, string[] | (() => string[])>): Resolver {
  return {
    async addresses(name) {
      const response = names[name] ?? [];
      return typeof response === 'function' ? response() : response;
    },
    texts: async () => [],
  };
}

/** The egress guard with the policy of a laptop: loopback is allowed, with and without TLS. */
export function localEgress(options: Parameters<typeof createEgress>[1] = {}): Egress {
  return opened(createEgress({ allow: ['127.0.0.0/8', '::1/128'], allowHttp: 'allowed-addresses' }, options));
}

/** The egress guard with the policy of a deployment. */
export function strictEgress(resolver: Resolver = fakeResolver({})): Egress {
  return opened(createEgress({ allow: [], allowHttp: 'never' }, { resolver }));
}

function opened(egress: Egress): Egress {
  open.push(egress);
  return egress;
}

/** The error of a call; the test fails if the call succeeds. */
export async function failure(call: Promise<unknown>): Promise<EgressError> {
  try {
    await call;
  } catch (error) {
    return error as EgressError;
  }
  throw new Error('the call was let through');
}
