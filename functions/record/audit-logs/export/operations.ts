import { createHash } from 'node:crypto';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { ConcernedCall } from '../../../kernel/authentication/caller.ts';
import { downloadAddress } from '../../../kernel/blobs/address.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { newId } from '../../../kernel/ids.ts';
import { evidenceSigner } from '../../../kernel/keys/signer.ts';
import { operation } from '../../../kernel/operation.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { outgoing } from '../../../kernel/storage/outbox.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { inBody, inQuery, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import type { Work } from '../work.ts';
import { exportKey, type ExportRecord, exports, proofKey } from './entity.ts';
import {
  CreateExport,
  EvidenceKey,
  Export,
  ExportList,
  ExportProof,
  ListExports,
  makeFilter,
  presentExport,
  presentListedExport,
  computeState,
} from './schema.ts';

const exportNotFound = notFound('audit log export');

const unknownOrganization = declareError({
  status: 400,
  code: 'invalid_organization',
  message: 'organization_id names no organization of this environment.',
});

const exportNotReady = declareError({
  status: 409,
  code: 'audit_log_export_not_ready',
  message: 'The export is not ready, or it has expired. See its state; create a new one if it has expired.',
});

/** Time in seconds for which a download URL is valid; each request creates a new one. */
const ADDRESS_SECONDS = 600;
/** Time in ms after which an unfinished export is attempted again. */
const RETRY_MS = 20 * 60_000;
/** Time in seconds for which rows are kept after their files were deleted. */
const ROW_SECONDS = 90 * 86_400;

/** The organization of the export that a path names, for grants. */
const findExportOwner = async ({ environmentId, params }: ConcernedCall): Promise<string | undefined> =>
  (await exports.get(environmentId, params.auditLogExportId ?? ''))?.organizationId;

export const createExport = operation({
  id: 'audit_logs.create_export',
  method: 'POST',
  path: '/audit_logs/exports',
  summary: 'Export an organization’s events as CSV',
  description:
    'The export is created in the background; poll it until its state is `ready` or `error`. The range applies ' +
    'to `occurred_at` and excludes its end. `targets` are types or ids of targets. An event must match each list ' +
    'that is given.',
  auth: keyOrGrant(inBody('organization_id')),
  operator: 'people.read',
  operatorLimit: 'exports',
  body: CreateExport,
  responses: { 201: Export },
  errors: [unknownOrganization],
  errorForm: messagesWith400,
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail }) {
    const { organization_id: organizationId, range_start: rangeStart, range_end: rangeEnd } = body;
    if ((await findOrganization(environmentId, organizationId)) === undefined) throw fail(unknownOrganization);
    const id = newId('audit_log_export');
    const { record, write } = exports.create({
      environmentId,
      id,
      owner: ownerKey('organization', organizationId),
      organizationId,
      rangeStart,
      rangeEnd,
      filter: makeFilter(body),
      state: 'pending',
      attempts: 0,
      expiresAt: clock.seconds() + ROW_SECONDS,
      ...dueOn(id, clock.now() + RETRY_MS),
    });
    const work: Work = { kind: 'export', environment_id: environmentId, id };
    unit.stage([write, outgoing(environmentId, 'audit-logs', work)]);
    return { status: 201, body: presentExport(record, 'pending', null) };
  },
});

export const getExport = operation({
  id: 'audit_logs.get_export',
  method: 'GET',
  path: '/audit_logs/exports/{auditLogExportId}',
  summary: 'Get an export',
  description:
    'The `url` expires after ten minutes. Each response has a new one, until seven days after the export was ' +
    'created.',
  auth: keyOrGrant(findExportOwner),
  responses: { 200: Export },
  errors: [exportNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { auditLogExportId: id }, fail }) {
    const record = await exports.get(environmentId, id);
    if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) throw fail(exportNotFound);
    const state = computeState(record, clock.timestamp());
    const url = state === 'ready' ? makeDownloadAddress(record, exportKey(record), 'text/csv; charset=utf-8') : null;
    return { status: 200, body: presentExport(record, state, url) };
  },
});

const listExports = operation({
  id: 'audit_logs.list_exports',
  method: 'GET',
  path: '/x/audit_logs/exports',
  summary: 'List the exports of an organization',
  description: 'Exports are listed for 90 days. The list has no `url`: get a single export for it.',
  auth: keyOrGrant(inQuery('organization_id')),
  query: ListExports,
  responses: { 200: ExportList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const fetch = async (window: Window): Promise<Reading<ExportRecord>> => {
      const list = exports.list('byOrganization', { environmentId, organizationId: query.organization_id });
      const { records, ...rest } = await list.toPage(window);
      return { records: records.filter(({ expiresAt = 0 }) => expiresAt > clock.seconds()), ...rest };
    };
    const now = clock.timestamp();
    return { status: 200, body: await readPage(query, fetch, (record) => presentListedExport(record, now)) };
  },
});

export const getExportProof = operation({
  id: 'audit_logs.get_export_proof',
  method: 'GET',
  path: '/x/audit_logs/exports/{auditLogExportId}/proof',
  summary: 'Get the proof of an export',
  description:
    'Returns a `url` that expires after ten minutes. Its file is what `npm run verify-export` needs to check the CSV offline: the hashes of all events in the ' +
    'segments that the export read, the signed seals of these segments, and the signed statement of the export.',
  auth: apiKey,
  responses: { 200: ExportProof },
  errors: [exportNotFound, exportNotReady],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { auditLogExportId: id }, fail }) {
    const record = await exports.get(environmentId, id);
    if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) throw fail(exportNotFound);
    if (computeState(record, clock.timestamp()) !== 'ready') throw fail(exportNotReady);
    const expiresAt = new Date(clock.now() + ADDRESS_SECONDS * 1_000).toISOString();
    const url = makeDownloadAddress(record, proofKey(record), 'application/jsonl');
    return {
      status: 200,
      body: { object: 'audit_log_export_proof' as const, export_id: id, url, expires_at: expiresAt },
    };
  },
});

export const getEvidenceKey = operation({
  id: 'audit_logs.get_evidence_key',
  method: 'GET',
  path: '/x/audit_logs/evidence_key',
  summary: 'Get the public key that verifies seals and exports',
  description:
    'Store it separately from your exports: if the key comes from the proof itself, the signature does not show who signed it.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: EvidenceKey },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle() {
    const pem = await evidenceSigner().publicKey();
    const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    const sha256 = createHash('sha256').update(der).digest('hex');
    return {
      status: 200,
      body: { object: 'audit_log_evidence_key' as const, public_key: pem, sha256, algorithm: 'ES256' as const },
    };
  },
});

const makeDownloadAddress = ({ id }: ExportRecord, key: string, contentType: string): string =>
  downloadAddress('audit', key, {
    fileName: key.endsWith('.proof') ? `${id}.csv.proof` : `${id}.csv`,
    contentType,
    expiresSeconds: ADDRESS_SECONDS,
  });

export const exportOperations = [createExport, getExport, listExports, getExportProof, getEvidenceKey] as const;
