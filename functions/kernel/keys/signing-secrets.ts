import { randomBytes } from 'node:crypto';

import { awaitAll } from '../concurrency.ts';
import type { SigningSecrets } from '../http/signature.ts';
import { secretsInUse, type StoredSecrets } from '../http/secret-rotation.ts';
import type { KeyPurpose } from './key-wrapper.ts';
import { envelopes } from './shared.ts';

/** A new signing secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks, Signature scheme). */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The signing secrets of a kind of endpoint, encrypted for each of them.
 * @param purpose the name of the kind in the encryption context, which never changes
 */
export const signingSecrets = (purpose: KeyPurpose) => ({
  /** Encrypts a secret for its endpoint. */
  seal: (environmentId: string, endpointId: string, secret: string): Promise<Uint8Array> =>
    envelopes().seal({ environmentId, purpose }, endpointId, secret),

  /** Decrypts the secrets of an endpoint in use at a time; a data key is cached for a minute. */
  async open(
    { environmentId, id, ...stored }: StoredSecrets & { environmentId: string; id: string },
    now: number,
  ): Promise<SigningSecrets> {
    const { secret, next } = secretsInUse(stored as StoredSecrets<Uint8Array>, now);
    const open = (sealed: Uint8Array) => envelopes().openText({ environmentId, purpose }, id, sealed);
    const [current, following] = await awaitAll([open(secret), next === undefined ? undefined : open(next)]);
    return { secret: current, next: following };
  },
});
