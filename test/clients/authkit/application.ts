import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A running application that uses one of the packages. */
export interface Application {
  /** The address of its start page, without a slash at the end. */
  origin: string;
  close: () => Promise<void>;
}

/** The service that the packages call. */
export interface Service {
  url: string;
  apiKey: string;
  clientId: string;
}

const START_LIMIT_MS = 60_000;

async function findPort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts an application of the folder where the packages are installed.
 * @throws Error with its output if it does not respond
 */
export async function startApplication(
  folder: string,
  kind: 'next' | 'session',
  { url, apiKey, clientId }: Service,
): Promise<Application> {
  const port = await findPort();
  const origin = `http://localhost:${port}`;
  const next = ['node_modules/next/dist/bin/next', 'dev', 'next', '-H', 'localhost', '-p', String(port)];
  const { hostname, port: servicePort, protocol } = new URL(url);
  const child = spawn(process.execPath, kind === 'next' ? next : ['session/server.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      NEXT_TELEMETRY_DISABLED: '1',
      WORKOS_API_KEY: apiKey,
      WORKOS_CLIENT_ID: clientId,
      WORKOS_API_HOSTNAME: hostname,
      WORKOS_API_PORT: servicePort,
      WORKOS_API_HTTPS: String(protocol === 'https:'),
      WORKOS_COOKIE_PASSWORD: randomBytes(24).toString('hex'),
      WORKOS_REDIRECT_URI: `${origin}/callback`,
      NEXT_PUBLIC_WORKOS_REDIRECT_URI: `${origin}/callback`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isUp(origin))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await close();
      throw new Error(`The application does not respond: ${output.slice(-2_000)}`);
    }
    await delay(100);
  }
  return { origin, close };
}

const isUp = (origin: string): Promise<boolean> =>
  fetch(origin).then(
    async (response) => response.text().then(() => response.ok),
    () => false,
  );
