import { createHmac, randomBytes } from 'node:crypto';

import { systemActor } from '../authentication/caller.ts';
import { TtlCache } from '../memory.ts';
import { acceptConflict } from '../storage/background.ts';
import { collection } from '../storage/collection.ts';
import { entity } from '../storage/entity.ts';
import {
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../storage/record.ts';
import { Unit } from '../storage/unit.ts';
import type { KeyPurpose } from './key-wrapper.ts';
import { envelopes } from './shared.ts';

/** Milliseconds for which an instance keeps a secret, within which a disabled KMS key takes effect. */
const CACHE_MS = 60_000;
const ID = 'grants';

/**
 * A random secret of each environment, from which values are derived together with what a client presents. It is encrypted for a
 * purpose that only one function may decrypt, so that neither the client nor a copy of the table can compute them. It is made when
 * it is needed first.
 * @param kind the entity's name, which is a part of the key and never changes
 * @param purpose the purpose of its envelope
 * @returns a function that derives 32 bytes from a text (HMAC-SHA256, RFC 2104): one GetItem and one KMS call an instance and minute
 */
export function serverSecret(
  kind: string,
  purpose: KeyPurpose,
): (environmentId: string, text: string) => Promise<Uint8Array> {
  const Entity = entity({
    model: model(kind),
    attributes: { ...recordAttributes, ...ownedAttributes, sealed: { type: 'any', required: true } },
    indexes: { primary: recordKey(kind), owned: ownedIndex },
  });
  const secrets = collection(Entity, 'internal');
  const known = new TtlCache<Uint8Array>(1_000, CACHE_MS);

  async function read(environmentId: string): Promise<Uint8Array | undefined> {
    const row = await secrets.get(environmentId, ID);
    return row === undefined ? undefined : envelopes().open({ environmentId, purpose }, ID, row.sealed as Uint8Array);
  }

  async function make(environmentId: string): Promise<Uint8Array> {
    const sealed = await envelopes().seal({ environmentId, purpose }, ID, randomBytes(32));
    const unit = new Unit(environmentId, systemActor);
    unit.stage(secrets.create({ environmentId, id: ID, owner: ENVIRONMENT_OWNER, sealed }).write);
    acceptConflict(await unit.commit(), 'another instance has made the secret, which is read next');
    const made = await read(environmentId);
    if (made === undefined) throw new Error(`The secret ${kind} was written and cannot be read`);
    return made;
  }

  return async (environmentId, text) => {
    const secret = await known.load(
      environmentId,
      async () => (await read(environmentId)) ?? (await make(environmentId)),
    );
    return createHmac('sha256', secret).update(text).digest();
  };
}
