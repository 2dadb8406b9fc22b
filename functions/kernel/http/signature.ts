import { createHmac } from 'node:crypto';

/** The secrets of a sender; each is `whsec_` + base64. */
export interface SigningSecrets {
  /** The secret of the vendor-style header, of which clients read only one signature. */
  secret: string;
  /** The next secret during a rotation, which also signs the Standard Webhooks header. */
  next?: string | undefined;
}

/**
 * The signature headers of a body: for webhooks, and for all other requests that are signed in the same way.
 *
 * - The vendor-style header under each of its names, `t=<ms>, v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the whole
 *   secret as key. Clients read only its first `v1`, so during a rotation it stays with the current secret.
 * - `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` (Standard Webhooks): HMAC-SHA256 of
 *   `<id>.<timestamp>.<body>` with the decoded part of the secret, `v1,<base64>` for each valid secret.
 */
export function signatureHeaders(
  names: readonly string[],
  secrets: SigningSecrets,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const valid = secrets.next === undefined ? [secrets.secret] : [secrets.secret, secrets.next];
  const vendorStyle = `t=${now}, v1=${hmac(secrets.secret, `${now}.${body}`).toString('hex')}`;
  return {
    ...Object.fromEntries(names.map((name) => [name, vendorStyle])),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': valid
      .map((secret) => `v1,${hmac(keyBytes(secret), `${id}.${seconds}.${body}`).toString('base64')}`)
      .join(' '),
  };
}

const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const keyBytes = (secret: string): Buffer => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
