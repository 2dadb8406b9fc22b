import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { actorMembers, keyToOpenUnder, makeScope, findProtectingKeys, stageFirstUse } from '../key/protecting-keys.ts';
import { openingErrors, sealingErrors, whileOpening, whileSealing, withKeyFailures } from '../key/errors.ts';
import { type Context, organizationOf } from '../key/rules.ts';
import { generateKey, moveKey, readRoot, unwrapKey, type VaultScope } from '../key/wrapped-key.ts';
import { decodeKeys, encodeKeys, type EncryptedKeys } from './encrypted-keys.ts';
import { CreateDataKey, DataKey, DecryptDataKey, DecryptedDataKey, RekeyDataKey } from './schema.ts';

const base64 = (key: Uint8Array): string => {
  const text = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64');
  key.fill(0);
  return text;
};

/** Additional data to which a data key is bound, next to its context. */
const ownEntries = (id: string): Context => ({ 'gatehouse:id': id });

/** A data key held by a caller, with everything that decrypting it needs. */
interface ReceivedDataKey extends EncryptedKeys {
  scope: VaultScope;
  /** The KMS key that the blob names as its wrapping key. */
  root: string;
}

/**
 * Parses a caller's `encrypted_keys`. It takes one round trip if the context names an organization, otherwise none.
 * @throws SealedValueError, OrganizationKeyDestroyed
 */
async function readDataKey(environmentId: string, text: string): Promise<ReceivedDataKey> {
  const keys = decodeKeys(text);
  const { id, context, wrapped } = keys;
  const root = readRoot(wrapped);
  const organizationId = organizationOf(context);
  const organizationKey =
    organizationId === undefined ? undefined : await keyToOpenUnder(environmentId, organizationId);
  const protecting = { environmentId, context, organizationId, organizationKey, root, keyId: '' };
  return { ...keys, root, scope: makeScope(protecting, 'vault-data-key', ownEntries(id)) };
}

export const createDataKey = operation({
  id: 'vault.data_keys.create',
  method: 'POST',
  path: '/vault/v1/keys/data-key',
  summary: 'Create a data key for encryption on your side',
  description:
    'Encrypt with `data_key`, discard it, and store `encrypted_keys` with the ciphertext. `encrypted_keys` contains the context, and only `POST /vault/v1/keys/decrypt` can decrypt it.',
  auth: apiKey,
  body: CreateDataKey,
  responses: { 200: DataKey },
  errors: [...sealingErrors],
  emits: ['vault.dek.read', 'vault.kek.created'],
  idempotency: 'none',
  async handle({ environmentId, caller, body, unit, fail }) {
    const { context } = body;
    const keys = await withKeyFailures(whileSealing(fail), '', () => findProtectingKeys(environmentId, context));
    const id = newUuid();
    const [{ plaintext, wrapped }] = await awaitAll([
      withKeyFailures(whileSealing(fail), keys.root, () =>
        generateKey(makeScope(keys, 'vault-data-key', ownEntries(id))),
      ),
      stageFirstUse(unit, caller.actor, keys),
    ]);
    unit.emit(
      'vault.dek.read',
      { ...actorMembers(caller.actor), key_ids: [id], key_context: context },
      { organizationId: keys.organizationId },
    );
    const encrypted_keys = encodeKeys({ id, context, wrapped });
    return { status: 200, body: { context, data_key: base64(plaintext), encrypted_keys, id } };
  },
});

export const decryptDataKey = operation({
  id: 'vault.data_keys.decrypt',
  method: 'POST',
  path: '/vault/v1/keys/decrypt',
  summary: 'Decrypt a data key',
  auth: apiKey,
  body: DecryptDataKey,
  responses: { 200: DecryptedDataKey },
  errors: [...openingErrors],
  emits: ['vault.dek.decrypted'],
  idempotency: 'none',
  async handle({ environmentId, caller, body, unit, fail }) {
    const failures = whileOpening(fail);
    const received = await withKeyFailures(failures, '', () => readDataKey(environmentId, body.keys));
    const { id, context, scope, root, wrapped } = received;
    const plaintext = await withKeyFailures(failures, root, () => unwrapKey(scope, wrapped));
    unit.emit(
      'vault.dek.decrypted',
      { ...actorMembers(caller.actor), key_id: id },
      { organizationId: organizationOf(context) },
    );
    return { status: 200, body: { data_key: base64(plaintext), id } };
  },
});

export const rekeyDataKey = operation({
  id: 'vault.data_keys.rekey',
  method: 'POST',
  path: '/vault/v1/keys/rekey',
  summary: 'Move a data key to another context',
  description:
    'Your ciphertext does not change: replace the stored `encrypted_keys` with the new one. KMS re-encrypts the key; the ' +
    'response also contains the plaintext key.',
  auth: apiKey,
  body: RekeyDataKey,
  responses: { 200: DataKey },
  errors: [...openingErrors, ...sealingErrors],
  emits: ['vault.dek.decrypted', 'vault.dek.read', 'vault.kek.created'],
  idempotency: 'none',
  async handle({ environmentId, caller, body, unit, fail }) {
    const { context } = body;
    const [former, keys] = await awaitAll([
      withKeyFailures(whileOpening(fail), '', () => readDataKey(environmentId, body.encrypted_keys)),
      withKeyFailures(whileSealing(fail), '', () => findProtectingKeys(environmentId, context)),
    ]);
    const { id } = former;
    const target = makeScope(keys, 'vault-data-key', ownEntries(id));
    const [wrapped, plaintext] = await withKeyFailures(whileOpening(fail), former.root || keys.root, () =>
      awaitAll([
        moveKey(former.scope, former.wrapped, target),
        unwrapKey(former.scope, former.wrapped),
        stageFirstUse(unit, caller.actor, keys),
      ]),
    );
    unit.emit(
      'vault.dek.decrypted',
      { ...actorMembers(caller.actor), key_id: id },
      { organizationId: organizationOf(former.context) },
    );
    unit.emit(
      'vault.dek.read',
      { ...actorMembers(caller.actor), key_ids: [id], key_context: context },
      { organizationId: keys.organizationId },
    );
    const encrypted_keys = encodeKeys({ id, context, wrapped });
    return { status: 200, body: { context, data_key: base64(plaintext), encrypted_keys, id } };
  },
});

export const dataKeyOperations = [createDataKey, decryptDataKey, rekeyDataKey] as const;
