import * as z from 'zod';

import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { listOperation } from '../../../../kernel/list-operation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { isOwnOrigin } from '../../../../kernel/own-origin.ts';
import { pageMembers } from '../../../../kernel/pagination.ts';
import { registerOrigin, unregisterOrigin } from '../../../../kernel/storage/browser-origin.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import { corsOrigins } from './entity.ts';
import { readOrigin } from './rules.ts';
import { CorsOrigin, CorsOriginList, CreateCorsOrigin, presentCorsOrigin } from './schema.ts';

const corsOriginNotFound = notFound('CORS origin');

const corsOriginTaken = declareError({
  status: 409,
  code: 'cors_origin_already_registered',
  message: 'This origin is registered already.',
});

const invalidOrigin = declareError({
  status: 422,
  code: 'invalid_origin',
  message:
    'The origin must be https, a host and a port if it is not 443, without a path, such as https://app.example.com. http is allowed only for localhost, *.localhost, 127.0.0.0/8 and [::1]; packaged apps and browser extensions may have their own scheme, such as capacitor://localhost. Wildcards and this service’s own origin are not allowed.',
});

export const listCorsOrigins = listOperation({
  id: 'cors_origins.list',
  path: '/user_management/cors_origins',
  operator: 'config.read',
  summary: 'List CORS origins',
  query: z.object(pageMembers('cors_origin', 'normal')),
  response: CorsOriginList,
  fetch: (environmentId, _query, window) => corsOrigins.list('primary', { environmentId }).toPage(window),
  present: presentCorsOrigin,
});

const OWN_ORIGIN = { code: 'isForeign', message: 'origin is this service’s own; register that of your application' };

export const createCorsOrigin = operation({
  id: 'cors_origins.create',
  method: 'POST',
  path: '/user_management/cors_origins',
  summary: 'Register a CORS origin',
  description:
    'An origin is a scheme, host and port, which are compared exactly; it has no wildcard. Its pages may call browser operations: those that need no key, such as POST ' +
    '/user_management/authenticate as a public client. Register the origin of a page before it signs users in: ' +
    'until then the browser hides every response from the page.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateCorsOrigin,
  responses: { 201: CorsOrigin },
  errors: [corsOriginTaken, invalidOrigin],
  emits: [],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail }) {
    const read = isOwnOrigin(body.origin) ? OWN_ORIGIN : readOrigin(body.origin);
    if ('code' in read) {
      const constraints = { [read.code]: read.message };
      const error = { field: 'origin', code: read.code, message: read.message, property: 'origin', constraints };
      throw fail(invalidOrigin, { message: read.message, members: { errors: [error] } });
    }
    const id = newId('cors_origin');
    const registered = { environmentId, id, origin: read.origin };
    const { record, write } = corsOrigins.create({ ...registered, owner: ENVIRONMENT_OWNER });
    unit.stage(write);
    unit.stage(registerOrigin(registered), fail(corsOriginTaken));
    return { status: 201, body: presentCorsOrigin(record) };
  },
});

export const deleteCorsOrigin = operation({
  id: 'cors_origins.delete',
  method: 'DELETE',
  path: '/x/cors_origins/{id}',
  summary: 'Delete a CORS origin; its pages can no longer read responses',
  description:
    'A browser may cache the permission to send a request (the preflight) for ten minutes. During this time it may still send requests of the page, ' +
    'and they take effect; the page cannot read the responses.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [corsOriginNotFound],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(corsOrigins.get(environmentId, params.id), () => fail(corsOriginNotFound));
    unit.stage([corsOrigins.remove(record), unregisterOrigin(record)]);
    return { status: 204 };
  },
});

/** The operations on CORS origins. */
export const corsOriginOperations = [listCorsOrigins, createCorsOrigin, deleteCorsOrigin] as const;
