import { connect } from 'node:tls';

/** Milliseconds within which a host must present its certificate. */
const LIMIT_MS = 10_000;

/**
 * Reads the end of the certificate that a host of the service itself presents, in milliseconds since the epoch. The certificate is not verified,
 * since an expired one is what the caller looks for, and nothing is sent.
 * @throws Error if there is no connection or no certificate
 */
export async function readCertificateEnd(host: string, port = 443): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: LIMIT_MS }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      if (Number.isNaN(end)) reject(new Error(`${host} presents no certificate`));
      else resolve(end);
    });
    socket.on('error', reject);
    socket.on('timeout', () => socket.destroy(new Error(`${host} does not respond`)));
  });
}
