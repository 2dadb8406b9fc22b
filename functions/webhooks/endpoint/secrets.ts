import { randomBytes } from 'node:crypto';

import { envelopes } from '../../kernel/keys/shared.ts';
import type { EndpointRecord } from './entity.ts';
import { type EndpointSecrets, secretsInUse } from './rules.ts';

const scopeOf = (environmentId: string) => ({ environmentId, purpose: 'webhook-secret' });

/** A new signing secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks, Signature scheme). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Encrypts a secret for its endpoint. */
export const sealSecret = (environmentId: string, endpointId: string, secret: string): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(environmentId), endpointId, secret);

/** Decrypts the secrets in use at a time; a data key is cached for a minute. */
export async function openSecrets(record: EndpointRecord, now: number): Promise<EndpointSecrets> {
  const { environmentId, id } = record;
  const { secret, next } = secretsInUse(
    {
      secret: record.secret as Uint8Array,
      nextSecret: record.nextSecret as Uint8Array | undefined,
      nextSecretAt: record.nextSecretAt,
    },
    now,
  );
  const open = (sealed: Uint8Array) => envelopes().openText(scopeOf(environmentId), id, sealed);
  const [current, following] = await Promise.all([open(secret), next === undefined ? undefined : open(next)]);
  return { secret: current, next: following };
}
