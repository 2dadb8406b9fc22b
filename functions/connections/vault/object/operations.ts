import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { Actor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { general, orFail } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isUuid } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { actorMembers, findProtectingKeys, stageFirstUse } from '../key/protecting-keys.ts';
import {
  openingErrors,
  type KeyFailures,
  resealingErrors,
  sealingErrors,
  whileOpening,
  whileResealing,
  whileSealing,
  withKeyFailures,
} from '../key/errors.ts';
import { type Context, organizationOf } from '../key/rules.ts';
import { objects } from './entity.ts';
import { malformedId, nameTaken, objectNotFound, requireId, valueTooLarge, versionMismatch } from './errors.ts';
import { findObject, findObjectByName, type FoundObject, knownContext, noteObject, openObject } from './read.ts';
import {
  CreateObject,
  DeletedObject,
  DeleteObject,
  MAX_VALUE_BYTES,
  ObjectMetadata,
  ObjectWithoutValue,
  ObjectWithValue,
  presentMetadata,
  presentObject,
  UpdateObject,
} from './schema.ts';
import { newObject, nextVersion, removeObject, sealVersion } from './write.ts';

export const createObject = operation({
  id: 'vault.objects.create',
  method: 'POST',
  path: '/vault/v1/kv',
  summary: 'Store a secret value under a name',
  description:
    'The value is encrypted under a key of its context. If the context has an `organization_id`, that is a key of the ' +
    'organization, which is destroyed when the organization is deleted. Values have at most 256 KiB.',
  auth: apiKey,
  operator: 'secrets.write',
  body: CreateObject,
  responses: { 201: ObjectMetadata },
  errors: [nameTaken, valueTooLarge, ...sealingErrors],
  emits: ['vault.data.created', 'vault.kek.created'],
  idempotency: 'replay',
  async handle({ environmentId, caller, body, unit, fail }) {
    const { key_context: context, name, value } = body;
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES) throw fail(valueTooLarge);
    const keys = await withKeyFailures(whileSealing(fail), '', () => findProtectingKeys(environmentId, context));
    const id = newUuid();
    const [version] = await awaitAll([
      withKeyFailures(whileSealing(fail), keys.root, () => sealVersion(keys, id, value)),
      stageFirstUse(unit, caller.actor, keys),
    ]);
    const { record, writes, claimName } = newObject({ id, name }, keys, version, caller.actor);
    unit.stage(writes);
    unit.stage(claimName, fail(nameTaken));
    unit.emit(
      'vault.data.created',
      { ...actorMembers(caller.actor), kv_name: name, key_id: record.keyId, key_context: context },
      { organizationId: keys.organizationId },
    );
    noteObject(record);
    return { status: 201, body: presentMetadata(record) };
  },
});

export const readObject = operation({
  id: 'vault.objects.read',
  method: 'GET',
  path: '/vault/v1/kv/{id}',
  summary: 'Read an object with its value',
  auth: apiKey,
  operator: 'secrets.reveal',
  exposesCredential: true,
  responses: { 200: ObjectWithValue },
  errors: [malformedId, objectNotFound, ...openingErrors],
  emits: ['vault.data.read'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, unit, fail }) {
    requireId(params.id, fail);
    const failures = whileOpening(fail);
    const found = await orFail(
      withKeyFailures(failures, '', () => findObject(environmentId, params.id)),
      () => fail(objectNotFound),
    );
    return { status: 200, body: await presentRead(found, { unit, actor: caller.actor, failures }) };
  },
});

export const readObjectByName = operation({
  id: 'vault.objects.read_by_name',
  method: 'GET',
  path: '/vault/v1/kv/name/{name}',
  freeText: 'name',
  summary: 'Read an object with its value by its name',
  auth: apiKey,
  operator: 'secrets.reveal',
  exposesCredential: true,
  responses: { 200: ObjectWithValue },
  errors: [objectNotFound, ...openingErrors],
  emits: ['vault.data.read'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, unit, fail }) {
    const failures = whileOpening(fail);
    const found = await orFail(
      withKeyFailures(failures, '', () => findObjectByName(environmentId, params.name)),
      () => fail(objectNotFound),
    );
    return { status: 200, body: await presentRead(found, { unit, actor: caller.actor, failures }) };
  },
});

/** The response of a read, which also emits the event of the read. */
async function presentRead(
  found: FoundObject,
  { unit, actor, failures }: { unit: Unit<'vault.data.read'>; actor: Actor; failures: KeyFailures },
) {
  const { record } = found;
  const value = await openObject(found, failures);
  unit.emit(
    'vault.data.read',
    { ...actorMembers(actor), kv_name: record.name, key_id: record.keyId },
    { organizationId: organizationOf(record.context as Context) },
  );
  return { ...presentObject(record), value };
}

export const updateObject = operation({
  id: 'vault.objects.update',
  method: 'PUT',
  path: '/vault/v1/kv/{id}',
  summary: 'Replace the value of an object',
  description:
    'With `version_check`, the update is only made if it is still the `metadata.version_id` of the object; otherwise the response is 409 `version_mismatch`. The previous value is erased; only its ' +
    'version number and times are kept.',
  auth: apiKey,
  operator: 'secrets.write',
  body: UpdateObject,
  responses: { 201: ObjectWithoutValue },
  errors: [malformedId, objectNotFound, versionMismatch, valueTooLarge, ...resealingErrors],
  emits: ['vault.data.updated', 'vault.kek.created'],
  idempotency: 'replay',
  async handle({ environmentId, caller, params, body, unit, fail }) {
    const { id } = params;
    const { value, version_check: expected } = body;
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES) throw fail(valueTooLarge);
    requireId(id, fail);
    const known = knownContext(environmentId, id);
    const keysFor = (context: Context) =>
      withKeyFailures(whileResealing(fail), '', () => findProtectingKeys(environmentId, context));
    // A context never changes, so if it is cached, its keys are read in parallel with the object.
    const [former, early] = await awaitAll([objects.get(environmentId, id), known && keysFor(known)]);
    if (former === undefined) throw fail(objectNotFound);
    if (expected !== undefined && expected !== null && expected !== former.versionId) throw fail(versionMismatch);
    const context = former.context as Context;
    const keys = early ?? (await keysFor(context));
    const [version] = await awaitAll([
      withKeyFailures(whileResealing(fail), keys.root, () => sealVersion(keys, id, value)),
      stageFirstUse(unit, caller.actor, keys),
    ]);
    const { record, writes } = nextVersion(former, keys, version, caller.actor);
    unit.stage(writes);
    unit.emit(
      'vault.data.updated',
      { ...actorMembers(caller.actor), kv_name: record.name, key_id: record.keyId, key_context: context },
      { organizationId: keys.organizationId },
    );
    noteObject(record);
    return { status: 201, body: presentObject(record) };
  },
});

export const deleteObject = operation({
  id: 'vault.objects.delete',
  method: 'DELETE',
  path: '/vault/v1/kv/{id}',
  summary: 'Delete an object and its versions',
  auth: apiKey,
  operator: 'destroy',
  query: DeleteObject,
  responses: { 200: DeletedObject },
  errors: [objectNotFound, versionMismatch, general.fault],
  emits: ['vault.data.deleted'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, query, unit, fail }) {
    const record = isUuid(params.id) ? await objects.get(environmentId, params.id) : undefined;
    if (record === undefined) throw fail(objectNotFound);
    if (query.version_check !== undefined && query.version_check !== record.versionId) throw fail(versionMismatch);
    unit.stage(removeObject(record));
    unit.emit(
      'vault.data.deleted',
      { ...actorMembers(caller.actor), kv_name: record.name },
      { organizationId: organizationOf(record.context as Context) },
    );
    return { status: 200, body: { name: record.name, success: true } };
  },
});

export const objectOperations = [createObject, readObjectByName, readObject, updateObject, deleteObject] as const;
