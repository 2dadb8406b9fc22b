import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { register } from '../areas/pages/application.ts';

/** An application on loopback that shows the parameters of its callback. */
export interface Application {
  /** The URL of its callback, which is registered as redirect URI. */
  callback: string;
  close: () => Promise<void>;
}

/**
 * Starts an application.
 * @param forwardTo returns the URL to which its callback redirects, as applications do; if absent, it responds itself
 */
export async function application(forwardTo?: () => string): Promise<Application> {
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://application');
    if (pathname === '/callback' && forwardTo !== undefined) {
      response.writeHead(302, { location: forwardTo() }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Application</title><h1>Signed in</h1><p id="code">${searchParams.has('code')}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  await register(callback);
  return {
    callback,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
