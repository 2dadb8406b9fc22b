/**
 * `npm run verify-receipt -- FILE [--fingerprint HEX]`: checks a receipt for the destruction of an organization's key
 * without any connection. FILE is the response of GET /x/vault/key_destructions/{organization_id}.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

import { exitWithUsage, readOptions } from './usage.ts';

const Receipt = z.object({
  organization_id: z.string(),
  key_id: z.string(),
  destroyed_at: z.string(),
  statement: z.string(),
  signature: z.string(),
  algorithm: z.literal('ECDSA_SHA_256'),
  public_key: z.string(),
});

const Statement = z.object({
  kind: z.literal('gatehouse.key-destruction'),
  version: z.literal(1),
  organization_id: z.string(),
  key_id: z.string(),
  destroyed_at: z.string(),
});

const USAGE = `usage: npm run verify-receipt -- FILE [--fingerprint SHA-256]
Checks offline that a receipt for the destruction of an organization's key is genuine. FILE is the response of
GET /x/vault/key_destructions/{organization_id}. --fingerprint is the SHA-256 of the signing key, from GET /x/vault/signing_key,
which you stored before. Exit status 0 if the receipt is valid, 1 if not.`;

/**
 * Checks a receipt and prints the result.
 * @throws Error with a sentence for the user
 */
function check(text: string, expected: string | undefined): string {
  const receipt = Receipt.parse(JSON.parse(text));
  const key = createPublicKey(receipt.public_key);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('The key is not an EC key on the curve P-256.');
  const fingerprint = createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex');
  if (expected !== undefined && expected.toLowerCase() !== fingerprint) {
    throw new Error(`The receipt is signed by another key: ${fingerprint}.`);
  }
  const statement = Buffer.from(receipt.statement);
  if (!verify('sha256', statement, key, Buffer.from(receipt.signature, 'base64'))) {
    throw new Error('The signature does not match the statement: the receipt was altered.');
  }
  const claimed = Statement.parse(JSON.parse(receipt.statement));
  for (const name of ['organization_id', 'key_id', 'destroyed_at'] as const) {
    if (claimed[name] !== receipt[name]) throw new Error(`${name} next to the statement is not the signed one.`);
  }
  return fingerprint;
}

const { values, positionals } = readOptions(USAGE, {
  options: { fingerprint: { type: 'string' } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined) exitWithUsage('FILE is missing', USAGE);
try {
  const text = readFileSync(file, 'utf8');
  const fingerprint = check(text, values.fingerprint);
  console.log(Receipt.parse(JSON.parse(text)).statement);
  console.log(`\nThe signature is valid. Signing key (SHA-256): ${fingerprint}`);
  if (values.fingerprint === undefined) {
    console.log(
      'Compare this fingerprint with the one that you stored from GET /x/vault/signing_key, or pass that one as --fingerprint.',
    );
  }
} catch (error) {
  console.error(`Not a valid receipt. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
