import { createHmac, randomBytes } from 'node:crypto';

import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import { TtlCache } from '../../kernel/memory.ts';
import { acceptConflict } from '../../kernel/storage/background.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity } from '../../kernel/storage/entity.ts';
import {
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import { Unit } from '../../kernel/storage/unit.ts';

/**
 * The secret from which operators' grants are derived together with the cookie. It is encrypted for a purpose that only the
 * console's function may decrypt (need `console-key`), so that a copy of the table and a cookie do not give a grant.
 */
const SecretEntity = entity({
  model: model('console-secret'),
  attributes: { ...recordAttributes, ...ownedAttributes, sealed: { type: 'any', required: true } },
  indexes: { primary: recordKey('console-secret'), owned: ownedIndex },
});

const secrets = collection(SecretEntity, 'internal');
const ID = 'grants';
const scope = { environmentId: OPERATORS_ENVIRONMENT_ID, purpose: 'console-grants' };

async function readSecret(): Promise<Uint8Array | undefined> {
  const row = await secrets.get(OPERATORS_ENVIRONMENT_ID, ID);
  return row === undefined ? undefined : envelopes().open(scope, ID, row.sealed as Uint8Array);
}

async function makeSecret(): Promise<Uint8Array> {
  const sealed = await envelopes().seal(scope, ID, randomBytes(32));
  const unit = new Unit(OPERATORS_ENVIRONMENT_ID, systemActor);
  unit.stage(
    secrets.create({ environmentId: OPERATORS_ENVIRONMENT_ID, id: ID, owner: ENVIRONMENT_OWNER, sealed }).write,
  );
  acceptConflict(await unit.commit(), 'another instance has made the secret, which is read next');
  const made = await readSecret();
  if (made === undefined) throw new Error('The secret of the console was written and cannot be read');
  return made;
}

/** The secret of this instance, cached for a minute, in which a disabled KMS key takes effect. */
const CACHE_MS = 60_000;
const known = new TtlCache<Uint8Array>(1, CACHE_MS);

const loadSecret = (): Promise<Uint8Array> => known.load(ID, async () => (await readSecret()) ?? (await makeSecret()));

/** A secret that follows from a text and the secret of the console. */
export const deriveSecret = async (text: string): Promise<string> =>
  createHmac('sha256', await loadSecret())
    .update(text)
    .digest('base64url');

/** The secret of a session's grants, which follows from its cookie and the secret of the console. */
export const grantSecret = deriveSecret;
