import { randomUUID } from 'node:crypto';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, general } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { isThrottled } from '../../../kernel/storage/faults.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { checkEvent } from '../action/find.ts';
import { actionNotFound } from '../action/errors.ts';
import { isOrganization } from '../organization.ts';
import { ingest } from './ingest.ts';
import { listRows } from './list.ts';
import { EventCreated, IngestEvent, ListEvents, presentRecordedEvent, RecordedEventList } from './schema.ts';

const invalidEvent = declareError({
  status: 400,
  code: 'invalid_audit_log',
  message: 'The event does not match the schema of its action.',
});

const eventTooLarge = declareError({
  status: 413,
  code: 'payload_too_large',
  message: 'The event is larger than 256 KiB, the limit of an audit log event.',
});

const tooManyEvents = declareError({
  status: 429,
  code: 'rate_limit_exceeded',
  message: 'Too many events are being recorded now. Retry with the same Idempotency-Key.',
});

const MAX_KEY_LENGTH = 255;

export const createEvent = operation({
  id: 'audit_logs.create_event',
  method: 'POST',
  path: '/audit_logs/events',
  summary: 'Record an event',
  description:
    'The event is validated against the schema of its action: the `version` of the event, else the newest. A ' +
    'repeated `Idempotency-Key` gets the first response for 24 hours and records nothing. The events of an hour are sealed soon after the hour has ended: a signature over their hashes makes later changes detectable.',
  auth: apiKey,
  body: IngestEvent,
  responses: { 200: EventCreated },
  errors: [
    invalidEvent,
    organizationNotFound,
    actionNotFound,
    eventTooLarge,
    general.idempotencyMismatch,
    tooManyEvents,
  ],
  emits: [],
  // The event's own row stores the idempotency key, since an idempotency row of the kernel would be a second write.
  idempotency: 'own',
  async handle({ environmentId, caller, body, request, fail, invalid }) {
    const idempotencyKey = request.headers['idempotency-key'] || randomUUID();
    if (idempotencyKey.length > MAX_KEY_LENGTH) {
      throw invalid([
        { field: 'Idempotency-Key', code: 'too_big', message: `has at most ${MAX_KEY_LENGTH} characters` },
      ]);
    }
    const { organization_id: organizationId, event } = body;
    try {
      const [isKnown, checked] = await awaitAll([
        isOrganization(environmentId, organizationId),
        checkEvent(environmentId, event.action, event.version, event),
      ]);
      if (!isKnown) throw fail(organizationNotFound);
      if (checked.kind === 'no-action') throw fail(actionNotFound);
      if (checked.kind === 'invalid') {
        const message = `${invalidEvent.message} ${checked.violations.length} of its members are wrong; see errors.`;
        throw fail(invalidEvent, { message, members: { errors: checked.violations } });
      }
      const { rawBody } = request;
      const { version } = checked;
      const outcome = await ingest({ environmentId, proof: caller.proof, idempotencyKey, rawBody, body, version });
      if (outcome === 'too-large') throw fail(eventTooLarge);
      if (outcome === 'mismatch') throw fail(general.idempotencyMismatch);
      const headers = outcome === 'repeated' ? { headers: { 'idempotent-replayed': 'true' } } : {};
      return { status: 200, body: { success: true }, ...headers };
    } catch (error) {
      if (isThrottled(error)) throw fail(tooManyEvents, { retryAfter: 1 });
      throw error;
    }
  },
});

export const listEvents = operation({
  id: 'audit_logs.list_events',
  method: 'GET',
  path: '/x/audit_logs/events',
  summary: 'List the events of an organization',
  description:
    'Lists the events of the last 30 days that are within the retention, in the order in which they were received; exports have older ' +
    'ones. A page may have fewer events than its limit although the list continues: follow its cursor. An event may be missing for a ' +
    'moment after it was recorded.',
  auth: apiKey,
  query: ListEvents,
  responses: { 200: RecordedEventList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const { organization_id: organizationId, action, actor_id: actorId, target } = query;
    const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
    const filter = { actions: one(action), actorIds: one(actorId), targets: one(target) };
    const selected = {
      environmentId,
      organizationId,
      filter,
      rangeStart: query.range_start,
      rangeEnd: query.range_end,
    };
    return {
      status: 200,
      body: await readPage(query, async (window) => listRows(selected, window), presentRecordedEvent),
    };
  },
});

export const eventOperations = [createEvent, listEvents] as const;
