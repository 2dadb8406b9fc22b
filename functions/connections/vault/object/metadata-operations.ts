import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { readWithin } from '../../../kernel/storage/reading.ts';
import { searchIds } from '../../../kernel/storage/search.ts';
import { idsWithin, type Window } from '../../../kernel/storage/window.ts';
import { actorMembers } from '../key/protecting-keys.ts';
import { type Context, organizationOf } from '../key/rules.ts';
import { objects, objectsChangedAfter, findVersions } from './entity.ts';
import { malformedId, objectNotFound, requireId } from './errors.ts';
import {
  ListObjects,
  ObjectList,
  ObjectWithoutValue,
  presentObject,
  presentSummary,
  presentVersion,
  VersionList,
} from './schema.ts';

export const listObjects = operation({
  id: 'vault.objects.list',
  method: 'GET',
  path: '/vault/v1/kv',
  summary: 'List the names of objects',
  description:
    'The list has no values. `search` matches the beginnings of words of the name; `updatedAfter` selects objects that ' +
    'changed since then. The list may lag behind changes for a moment.',
  auth: apiKey,
  operator: 'config.read',
  query: ListObjects,
  responses: { 200: ObjectList },
  errors: [],
  emits: ['vault.names.listed'],
  idempotency: 'none',
  async handle({ environmentId, caller, query, unit }) {
    const filter = { search: query.search, updatedAfter: query.updatedAfter ?? query.updated_after };
    const body = await readPage(query, (window) => findObjects(environmentId, filter, window), presentSummary);
    unit.emit('vault.names.listed', actorMembers(caller.actor));
    return { status: 200, body };
  },
});

interface Filter {
  search: string | undefined;
  updatedAfter: string | undefined;
}

async function findObjects(environmentId: string, { search, updatedAfter }: Filter, window: Window) {
  if (search === undefined) {
    return updatedAfter === undefined
      ? objects.list('byCreation', { environmentId }).toPage(window)
      : objectsChangedAfter(environmentId, updatedAfter, window);
  }
  const ids = await searchIds(environmentId, 'vault-object', search);
  if (updatedAfter === undefined) return readWithin(ids, window, (own) => objects.getMany(environmentId, own));
  const found = await objects.getMany(environmentId, idsWithin(ids, { ...window, limit: Infinity }));
  return { records: found.filter(({ updatedAt }) => updatedAt > updatedAfter) };
}

export const describeObject = operation({
  id: 'vault.objects.describe',
  method: 'GET',
  path: '/vault/v1/kv/{id}/metadata',
  summary: 'Describe an object without its value',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: ObjectWithoutValue },
  errors: [malformedId, objectNotFound],
  emits: ['vault.metadata.read'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, unit, fail }) {
    requireId(params.id, fail);
    const record = await orFail(objects.get(environmentId, params.id), () => fail(objectNotFound));
    unit.emit(
      'vault.metadata.read',
      { ...actorMembers(caller.actor), kv_name: record.name },
      { organizationId: organizationOf(record.context as Context) },
    );
    return { status: 200, body: presentObject(record) };
  },
});

export const listObjectVersions = operation({
  id: 'vault.objects.list_versions',
  method: 'GET',
  path: '/vault/v1/kv/{id}/versions',
  summary: 'List the versions of an object',
  description:
    'Lists the newest 50 versions without values: the value of a version is erased when a new one replaces it.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: VersionList },
  errors: [malformedId, objectNotFound],
  emits: ['vault.metadata.read'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, unit, fail }) {
    requireId(params.id, fail);
    const [record, rows] = await awaitAll([
      objects.get(environmentId, params.id),
      findVersions(environmentId, params.id),
    ]);
    if (record === undefined) throw fail(objectNotFound);
    unit.emit(
      'vault.metadata.read',
      { ...actorMembers(caller.actor), kv_name: record.name },
      { organizationId: organizationOf(record.context as Context) },
    );
    const data = rows.map((row) => presentVersion(row, record.versionId));
    return { status: 200, body: { data, list_metadata: { before: null, after: null } } };
  },
});

export const objectMetadataOperations = [listObjects, describeObject, listObjectVersions] as const;
