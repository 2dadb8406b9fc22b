import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { connections } from '../connection/entity.ts';
import { connectionNotFound } from '../connection/errors.ts';
import { findConnectionOwner } from '../connection/find.ts';
import { type AttemptRecord, attempts } from './entity.ts';
import { isKept, openDetails } from './stage.ts';
import { Attempt, AttemptList, ListAttempts, presentAttempt } from './schema.ts';

const attemptNotFound = notFound('attempt of this connection');

const present = async (record: AttemptRecord) => presentAttempt(record, await openDetails(record));

const listAttempts = operation({
  id: 'sso_attempts.list',
  method: 'GET',
  path: '/x/connections/{id}/attempts',
  summary: 'List the attempts to sign in through a connection',
  description:
    'Lists the responses of the identity provider, the newest first: each check of the response, its claims, the profile ' +
    'that the attribute maps give, and its result. They are kept for 30 days.',
  auth: keyOrGrant(findConnectionOwner),
  query: ListAttempts,
  responses: { 200: AttemptList },
  errors: [connectionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const connectionId = params.id;
    const [connection, page] = await awaitAll([
      connections.get(environmentId, connectionId),
      readPage(
        query,
        async (window) => {
          const { records, ...rest } = await attempts.list('primary', { environmentId, connectionId }).toPage(window);
          return { records: records.filter(isKept), ...rest };
        },
        present,
      ),
    ]);
    if (connection === undefined) throw fail(connectionNotFound);
    return { status: 200, body: page };
  },
});

const getAttempt = operation({
  id: 'sso_attempts.get',
  method: 'GET',
  path: '/x/connections/{id}/attempts/{attempt_id}',
  summary: 'Get an attempt to sign in through a connection',
  auth: apiKey,
  responses: { 200: Attempt },
  errors: [attemptNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { id: connectionId, attempt_id: id } = params;
    if (!isId('sso_attempt', id)) throw fail(attemptNotFound);
    const record = await attempts.getAt({ environmentId, connectionId, id });
    if (record === undefined || !isKept(record)) throw fail(attemptNotFound);
    return { status: 200, body: await present(record) };
  },
});

export const attemptOperations = [listAttempts, getAttempt] as const;
