import type * as z from 'zod';

import { secondPerson } from '../../../kernel/approvals/second-person.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { readIntervals, trails } from '../evidence/entity.ts';
import { newTrail } from '../evidence/trail.ts';
import { findStream } from '../stream/entity.ts';
import { presentLogStream } from '../stream/schema.ts';
import { effectiveDays } from './rules.ts';
import { Configuration, readDays, Retention, UpdateRetention } from './schema.ts';

export const getRetention = operation({
  id: 'audit_logs.get_retention',
  method: 'GET',
  path: '/organizations/{id}/audit_logs_retention',
  summary: 'Get the retention of an organization’s events',
  description: 'The retention is `null` if it is not configured: events are then kept for 365 days.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Retention },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, fail }) {
    const [organization, trail] = await awaitAll([findOrganization(environmentId, id), trails.get(environmentId, id)]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: { retention_period_in_days: trail?.retentionDays ?? null } };
  },
});

export const setRetention = operation({
  id: 'audit_logs.set_retention',
  method: 'PUT',
  path: '/organizations/{id}/audit_logs_retention',
  summary: 'Set the retention of an organization’s events',
  description:
    'Send `retention_period` or `retention_period_in_days`; if both are sent, they must mean the same. The retention counts from the hour in which an event was recorded. With a shorter retention, older events ' +
    'are left out of exports at once and are erased within a day. A longer one does not restore erased events.',
  auth: apiKey,
  operator: 'destroy',
  // A shorter retention erases evidence, so it needs a second person.
  secondPerson: secondPerson(async ({ environmentId, params: { id = '' }, body }) => {
    const trail = await trails.get(environmentId, id);
    const days = effectiveDays(trail);
    if (readDays(body as z.output<typeof UpdateRetention>) >= days) return undefined;
    return { organization_id: id, retention_period_in_days: days, version: trail?.version ?? 0 };
  }),
  body: UpdateRetention,
  responses: { 200: Retention },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, body, unit, fail }) {
    const [organization, trail] = await awaitAll([findOrganization(environmentId, id), trails.get(environmentId, id)]);
    if (organization === undefined) throw fail(organizationNotFound);
    const retentionDays = readDays(body);
    unit.stage(
      trail === undefined
        ? newTrail(environmentId, id, retentionDays).write
        : trails.revise(trail, { retentionDays, ...dueOn(id, clock.now()) }).write,
    );
    return { status: 200, body: { retention_period_in_days: retentionDays } };
  },
});

export const getConfiguration = operation({
  id: 'audit_logs.get_configuration',
  method: 'GET',
  path: '/organizations/{id}/audit_log_configuration',
  summary: 'Get an organization’s audit log configuration',
  description: 'The state is `inactive` until the first event is recorded, or a retention or a log stream ' + 'is set.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Configuration },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, fail }) {
    const [organization, trail, stream, first] = await awaitAll([
      findOrganization(environmentId, id),
      trails.get(environmentId, id),
      findStream(environmentId, id),
      readIntervals(environmentId, id).next(),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const isActive = trail !== undefined || stream !== undefined || first.done !== true;
    return {
      status: 200,
      body: {
        organization_id: id,
        retention_period_in_days: effectiveDays(trail),
        state: isActive ? ('active' as const) : ('inactive' as const),
        ...(stream === undefined ? {} : { log_stream: presentLogStream(stream) }),
      },
    };
  },
});

export const retentionOperations = [getConfiguration, getRetention, setRetention] as const;
