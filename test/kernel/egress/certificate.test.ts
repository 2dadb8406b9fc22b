import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { expect, test } from '@jest/globals';

import { readCertificateEnd } from '../../../functions/kernel/egress/certificate.ts';
import { testPair } from '../../support/certificates.ts';

const DAY_MS = 86_400_000;

async function readEnd(days: number): Promise<number> {
  const server = createServer(testPair('localhost', days));
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await readCertificateEnd('localhost', (server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

test.each([20, 400, -3])('reads the end of a certificate that ends in %i days, which is not verified', async (days) => {
  const end = await readEnd(days);
  expect(Math.abs(end - Date.now() - days * DAY_MS)).toBeLessThan(DAY_MS);
});

test('rejects a host without TLS, and one that does not exist', async () => {
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(readCertificateEnd('localhost', port)).rejects.toThrow();
  server.close();
  await once(server, 'close');
  await expect(readCertificateEnd('localhost', port)).rejects.toThrow();
});
