import { makeListGrant } from '../../../../kernel/authentication/grant.ts';
import { operatorOnly, operatorRequired } from '../../../../kernel/authentication/operator-only.ts';
import { operatorPermissionRequired, permissionIn } from '../../../../kernel/authentication/operator-permission.ts';
import type { Caller, CallingOperator } from '../../../../kernel/authentication/caller.ts';
import { downloadAddress } from '../../../../kernel/blobs/address.ts';
import { clock } from '../../../../kernel/clock.ts';
import { declareError, Failure, type Issue, notFound, orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { envelopes } from '../../../../kernel/keys/shared.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage } from '../../../../kernel/pagination.ts';
import { dueOn } from '../../../../kernel/storage/due.ts';
import { outgoing } from '../../../../kernel/storage/outbox.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import { fileKey, grantScope, type ListExportRecord, listExports, listExportWork, STUCK_MS } from './entity.ts';
import { CONTENT_TYPES } from './write.ts';
import { type ExportedList, type Filter, type ListName, LISTS, makeListCall } from './lists.ts';
import { MAX_ROWS } from './rules.ts';
import {
  computeState,
  CreateResourceExport,
  describeExport,
  EXPORT_PREFIX,
  ListResourceExports,
  presentEvent,
  presentExport,
  ResourceExport,
  ResourceExportDownload,
  ResourceExportList,
} from './schema.ts';

export { listExportWork };

const PATH = '/x/resource_exports';
const exportNotFound = declareError({
  ...notFound('export'),
  message: `There is no such export in this environment. GET ${PATH} lists them.`,
});

const exportNotReady = declareError({
  status: 409,
  code: 'resource_export_not_ready',
  message:
    'The export has no file. If its state is `pending`, wait until it is `ready`; if it failed or its file was deleted, make a new export.',
});

const otherOperator = declareError({
  status: 403,
  code: 'resource_export_of_another_operator',
  message: 'Only the operator who made an export downloads or deletes its file. Make an export of your own.',
});

/** Seconds for which a download URL is valid: each click makes another one. */
const ADDRESS_SECONDS = 120;
/** Seconds for which the row of an export is kept. */
const ROW_SECONDS = 90 * 86_400;

const shared = { auth: operatorOnly, operator: 'config.read', idempotency: 'none' } as const;

/** The operator of a call that `operatorOnly` admitted. */
function requireOperator({ actor, operator }: Caller): { actor: Caller['actor']; operator: CallingOperator } {
  if (operator === undefined) throw new Failure(operatorRequired);
  return { actor, operator };
}

/** Checks that an operator may read a list. @throws Failure 403 that names the permission */
function requirePermission({ environmentId, operator }: Caller, list: ListName): void {
  const permission = permissionIn(environmentId, LISTS[list].permission);
  if (permission === 'never' || operator?.permissions.has(permission) !== true) {
    throw new Failure(operatorPermissionRequired, { members: { permission } });
  }
}

/** The members of a filter that the list does not have, or that it requires. */
function checkFilter(list: ListName, filter: Filter): Issue[] {
  const { filters, required }: ExportedList = LISTS[list];
  const names = filters.join(', ');
  return [
    ...Object.keys(filter)
      .filter((name) => !filters.includes(name))
      .map((name) => ({
        field: `filter.${name}`,
        code: 'unknown',
        message: `is no filter of ${list}, which has: ${names}`,
      })),
    ...required
      .filter((name) => filter[name] === undefined)
      .map((name) => ({ field: `filter.${name}`, code: 'required', message: `is required for ${list}` })),
    // The gateway decodes paths, so a slash would lead to another path.
    ...Object.entries(filter)
      .filter(([name, value]) => name === 'user_id' && list === 'sessions' && !/^\w+$/.test(value))
      .map(([name]) => ({ field: `filter.${name}`, code: 'invalid', message: 'is the id of a user' })),
  ];
}

const createExport = operation({
  ...shared,
  id: 'resource_exports.create',
  method: 'POST',
  path: PATH,
  summary: 'Export a list as CSV or NDJSON',
  description:
    `Only for operators who may read the list. A worker makes the file, with at most ${MAX_ROWS} records, the oldest first; read the ` +
    'export until its state is `ready` or `failed`. It fails if the operator loses the permission or is signed out before it is ' +
    'finished. An operator can make five exports a day. Secrets are in no export.',
  operatorLimit: 'exports',
  body: CreateResourceExport,
  responses: { 201: ResourceExport },
  errors: [operatorRequired, operatorPermissionRequired],
  emits: ['resource_export.created'],
  dryRun: true,
  async handle({ environmentId, caller, body, unit, invalid }) {
    const { list, filter, format } = body;
    requirePermission(caller, list);
    const issues = checkFilter(list, filter);
    if (issues.length > 0) throw invalid(issues);
    const { actor, operator } = requireOperator(caller);
    const permission = permissionIn(environmentId, LISTS[list].permission);
    const id = newId(EXPORT_PREFIX);
    const grant = makeListGrant(
      environmentId,
      { actor, operator },
      permission === 'never' ? LISTS[list].permission : permission,
      makeListCall(list, filter),
    );
    const { record, write } = listExports.create({
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      list,
      filter,
      format,
      state: 'pending',
      operatorId: actor.id,
      operatorName: actor.name ?? actor.id,
      grantHash: grant.hash,
      sealedGrant: await envelopes().seal(grantScope(environmentId), id, grant.value),
      expiresAt: clock.seconds() + ROW_SECONDS,
      ...dueOn(id, clock.now() + STUCK_MS),
    });
    unit.stage([write, grant.write]);
    listExportWork.stage(unit, environmentId, { id }, ENVIRONMENT_OWNER);
    unit.emit('resource_export.created', presentEvent(record));
    unit.describe({ export: id, ...describeExport(record) });
    return { status: 201, body: presentExport(record, clock.timestamp()) };
  },
});

const listOfExports = operation({
  ...shared,
  id: 'resource_exports.list',
  method: 'GET',
  path: PATH,
  summary: 'List the exports of the environment',
  description: 'Only for operators. Exports of all operators are listed for 90 days.',
  query: ListResourceExports,
  responses: { 200: ResourceExportList },
  errors: [operatorRequired],
  emits: [],
  async handle({ environmentId, query }) {
    const now = clock.timestamp();
    const page = await readPage(
      query,
      async (window) => {
        const { records, ...rest } = await listExports.list('byCreation', { environmentId }).toPage(window);
        return { records: records.filter(isKept), ...rest };
      },
      (record) => presentExport(record, now),
    );
    return { status: 200, body: page };
  },
});

const isKept = ({ expiresAt = 0 }: ListExportRecord): boolean => expiresAt > clock.seconds();

/** Finds an export whose row has not expired. */
async function findExport(environmentId: string, id: string): Promise<ListExportRecord | undefined> {
  const record = await listExports.get(environmentId, id);
  return record !== undefined && isKept(record) ? record : undefined;
}

const getExport = operation({
  ...shared,
  id: 'resource_exports.get',
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Get an export',
  responses: { 200: ResourceExport },
  errors: [operatorRequired, exportNotFound],
  emits: [],
  async handle({ environmentId, params: { id }, fail }) {
    const record = await orFail(findExport(environmentId, id), () => fail(exportNotFound));
    return { status: 200, body: presentExport(record, clock.timestamp()) };
  },
});

const downloadExport = operation({
  ...shared,
  id: 'resource_exports.download',
  method: 'POST',
  path: `${PATH}/{id}/download`,
  summary: 'Make the URL at which the file of an export is downloaded',
  description:
    'Only for the operator who made the export, with the permission to read its list. Each call is in the log of operators before its ' +
    'response, and makes a URL of its own, which is valid for two minutes.',
  responses: { 200: ResourceExportDownload },
  errors: [operatorRequired, operatorPermissionRequired, exportNotFound, otherOperator, exportNotReady],
  emits: ['resource_export.downloaded'],
  async handle({ environmentId, caller, params: { id }, unit, fail }) {
    const record = await orFail(findExport(environmentId, id), () => fail(exportNotFound));
    requirePermission(caller, record.list as ListName);
    if (record.operatorId !== caller.actor.id) throw fail(otherOperator);
    if (computeState(record, clock.timestamp()) !== 'ready') throw fail(exportNotReady);
    const url = downloadAddress('audit', fileKey(record), {
      fileName: `${record.list}-${id}.${record.format}`,
      contentType: CONTENT_TYPES[record.format],
      expiresSeconds: ADDRESS_SECONDS,
    });
    unit.emit('resource_export.downloaded', presentEvent(record));
    unit.describe({ ...describeExport(record), rows: String(record.rows ?? 0) });
    const expiresAt = new Date(clock.now() + ADDRESS_SECONDS * 1_000).toISOString();
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { object: 'resource_export_download' as const, export_id: id, url, expires_at: expiresAt },
    };
  },
});

const deleteFile = operation({
  ...shared,
  id: 'resource_exports.delete_file',
  method: 'POST',
  path: `${PATH}/{id}/delete_file`,
  summary: 'Delete the file of an export before it expires',
  description: 'Only for the operator who made the export. The export stays in the list, with the state `expired`.',
  responses: { 200: ResourceExport },
  errors: [operatorRequired, exportNotFound, otherOperator, exportNotReady],
  emits: [],
  dryRun: true,
  async handle({ environmentId, caller, params: { id }, unit, fail }) {
    const found = await orFail(findExport(environmentId, id), () => fail(exportNotFound));
    if (found.operatorId !== caller.actor.id) throw fail(otherOperator);
    const now = clock.timestamp();
    if (computeState(found, now) !== 'ready') throw fail(exportNotReady);
    const { record, write } = listExports.revise(found, { state: 'expired', endsAt: now });
    const message = { kind: 'end-list-export', environment_id: environmentId, id } as const;
    unit.stage([write, outgoing(environmentId, 'audit-logs', message)]);
    unit.describe(describeExport(record));
    return { status: 200, body: presentExport(record, now) };
  },
});

export const resourceExportOperations = [createExport, listOfExports, getExport, downloadExport, deleteFile] as const;
