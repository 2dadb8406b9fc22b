import { randomBytes } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { EgressError } from '../../../kernel/egress/errors.ts';
import { checkSavedUrl } from '../../../kernel/egress/policy.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { outgoing } from '../../../kernel/storage/outbox.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { inPath, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import type { Work } from '../work.ts';
import { findStream, type StreamRecord, streams } from './entity.ts';
import { presentStream, PutStream, Stream, splitTarget } from './schema.ts';
import { sealSecrets } from './secrets.ts';

const streamNotFound = notFound('log stream of this organization');

const due = (id: string, state: StreamRecord['state']) =>
  state === 'inactive' ? { dueShard: undefined, dueAt: undefined } : dueOn(id, clock.now());

export const putStream = operation({
  id: 'audit_logs.put_stream',
  method: 'PUT',
  path: '/x/organizations/{id}/audit_log_stream',
  summary: 'Create or replace an organization’s log stream',
  description:
    'A stream sends the audit log of one organization, which has at most one stream; for several organizations create one for each. A new one starts with the current hour; a changed one continues at its ' +
    'position. Each event is sent at least once, with its id, usually one to two minutes after it was recorded. Streams reach a SIEM (Splunk, Datadog), a bucket (S3) or your own receiver (GenericHttps). ' +
    'Requests to `GenericHttps` are signed like webhooks with the `secret`, which is only in the response ' +
    'that creates the stream or changes its type to `GenericHttps`.',
  auth: keyOrGrant(inPath('id')),
  operator: 'config.change',
  body: PutStream,
  responses: { 200: Stream },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id: organizationId }, body, unit, fail, invalid }) {
    const [organization, known] = await awaitAll([
      findOrganization(environmentId, organizationId),
      findStream(environmentId, organizationId),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const address = 'url' in body ? body.url : body.endpoint;
    const problem = address === undefined ? undefined : findProblem(address);
    if (problem !== undefined) throw invalid([{ field: 'url' in body ? 'url' : 'endpoint', ...problem }]);
    const { target, secrets: given } = splitTarget(body);
    const { state } = body;
    const id = known?.id ?? newId('als');
    const isOther = (known?.target as { type: string } | undefined)?.type !== target.type;
    const secret =
      target.type === 'GenericHttps' && isOther ? `whsec_${randomBytes(32).toString('base64')}` : undefined;
    // The secret of a stream over HTTPS is shown only once, so an update of the URL keeps it.
    const secrets =
      known !== undefined && target.type === 'GenericHttps' && !isOther
        ? (known.secrets as Uint8Array)
        : await sealSecrets(environmentId, organizationId, id, secret === undefined ? given : { secret });
    const fields = { target, secrets, state, failures: 0, lastError: undefined, ...due(id, state) };
    const { record, write } =
      known === undefined
        ? streams.create({
            environmentId,
            id,
            owner: ownerKey('organization', organizationId),
            organizationId,
            from: clock.timestamp().slice(0, 13),
            positions: {},
            ...fields,
          })
        : streams.revise(known, fields);
    unit.stage(write);
    if (state === 'active') {
      const work: Work = { kind: 'stream', environment_id: environmentId, organization_id: organizationId };
      unit.stage(outgoing(environmentId, 'audit-logs', work));
    }
    return { status: 200, body: presentStream(record, secret) };
  },
});

/** Describes an error in a URL as far as it can be found without a request. */
function findProblem(address: string): { code: string; message: string } | undefined {
  try {
    checkSavedUrl(address);
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return { code: error.code, message: `cannot be reached: ${error.message}` };
    throw error;
  }
}

export const getStream = operation({
  id: 'audit_logs.get_stream',
  method: 'GET',
  path: '/x/organizations/{id}/audit_log_stream',
  summary: 'Get an organization’s log stream',
  auth: keyOrGrant(inPath('id')),
  operator: 'config.read',
  responses: { 200: Stream },
  errors: [streamNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, fail }) {
    const record = await orFail(findStream(environmentId, id), () => fail(streamNotFound));
    return { status: 200, body: presentStream(record) };
  },
});

export const deleteStream = operation({
  id: 'audit_logs.delete_stream',
  method: 'DELETE',
  path: '/x/organizations/{id}/audit_log_stream',
  summary: 'Delete an organization’s log stream',
  auth: keyOrGrant(inPath('id')),
  operator: 'config.change',
  responses: { 204: null },
  errors: [streamNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, unit, fail }) {
    const record = await orFail(findStream(environmentId, id), () => fail(streamNotFound));
    unit.stage(streams.remove(record));
    return { status: 204 };
  },
});

export const streamOperations = [putStream, getStream, deleteStream] as const;
