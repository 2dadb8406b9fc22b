import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { inQuery, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { NO_COUNTS, readCounts } from './counts.ts';
import { findDirectory } from './entity.ts';
import { directoryNotFound } from './errors.ts';
import { findDirectories } from './find.ts';
import { Directory, DirectoryList, ListDirectories, presentDirectory } from './schema.ts';
import { stageEndOfDirectory } from './stage.ts';

const listDirectories = operation({
  id: 'directories.list',
  method: 'GET',
  path: '/directories',
  summary: 'List directories',
  auth: keyOrGrant(inQuery('organization_id')),
  operator: 'config.read',
  query: ListDirectories,
  responses: { 200: DirectoryList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const page = await readPage(
      query,
      (window) => findDirectories(environmentId, query, window),
      (record) => record,
    );
    const counts = await readCounts(
      environmentId,
      page.data.map(({ id }) => id),
    );
    const data = page.data.map((record) => presentDirectory(record, counts.get(record.id) ?? NO_COUNTS));
    return { status: 200, body: { ...page, data } };
  },
});

const getDirectory = operation({
  id: 'directories.get',
  method: 'GET',
  path: '/directories/{id}',
  summary: 'Get a directory',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Directory },
  errors: [directoryNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, fail }) {
    const [record, counts] = await awaitAll([findDirectory(environmentId, id), readCounts(environmentId, [id])]);
    if (record === undefined) throw fail(directoryNotFound);
    return { status: 200, body: presentDirectory(record, counts.get(id) ?? NO_COUNTS) };
  },
});

const deleteDirectory = operation({
  id: 'directories.delete',
  method: 'DELETE',
  path: '/directories/{id}',
  summary: 'Delete a directory',
  description:
    'Its tokens are invalid within five seconds, and its users and groups are removed in the background. Users and memberships that it provisioned are kept. ' +
    'The only event is `dsync.deleted`.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 202: null },
  errors: [directoryNotFound],
  emits: ['dsync.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(findDirectory(environmentId, params.id), () => fail(directoryNotFound));
    stageEndOfDirectory(unit, record);
    return { status: 202 };
  },
});

/** Operations of the contract on directories. */
export const directoryOperations = [listDirectories, getDirectory, deleteDirectory] as const;
