import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { pageMembers, readPage } from '../../../kernel/pagination.ts';
import { stageEndOfTrust } from '../../modules/known-devices/public.ts';
import { findUser } from '../../modules/users/public.ts';
import * as z from 'zod';

import type { SessionRecord } from './entity.ts';
import { findSession, findLiveSessions } from './find.ts';
import { presentSession, RevokeSession, SessionList } from './schema.ts';
import { stageRevocation } from './stage.ts';
import type { Window } from '../../../kernel/storage/window.ts';

const userNotFound = notFound('user');

const noSuchSession = declareError({
  status: 400,
  code: 'session_not_found',
  message: 'There is no such session in this environment. Check the id (the access token’s sid) and the API key.',
});

export const listUserSessions = operation({
  id: 'sessions.list',
  method: 'GET',
  path: '/user_management/users/{id}/sessions',
  summary: 'List the active sessions of a user',
  description: 'The list is strongly consistent. Ended sessions are reported by events.',
  auth: apiKey,
  query: z.object(pageMembers('session')),
  responses: { 200: SessionList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const [user, live] = await awaitAll([
      findUser(environmentId, params.id),
      findLiveSessions(environmentId, params.id),
    ]);
    if (user === undefined) throw fail(userNotFound);
    const now = clock.now();
    const body = await readPage(
      query,
      async (window) => ({ records: within(live, window) }),
      (record) => presentSession(record, now),
    );
    return { status: 200, body };
  },
});

/** The page of a user's sessions (oldest first, at most 20) that the query selects. */
function within(live: readonly SessionRecord[], { scan, after, limit }: Window): SessionRecord[] {
  const ordered = scan === 'asc' ? live : live.toReversed();
  const isBeyond = (id: string) => after === undefined || (scan === 'asc' ? id > after : id < after);
  return ordered.filter(({ id }) => isBeyond(id)).slice(0, limit);
}

export const revokeSession = operation({
  id: 'sessions.revoke',
  method: 'POST',
  path: '/user_management/sessions/revoke',
  summary: 'Revoke a session',
  description:
    'Its refresh token stops working at once; its last access token expires within five minutes unless configured ' +
    'otherwise. A session that has already ended is unchanged. If an operator revokes it, the user’s trusted browsers ask for the second factor again.',
  auth: apiKey,
  operator: 'people.support',
  body: RevokeSession,
  responses: { 200: null },
  errors: [noSuchSession],
  errorForm: messagesWith400,
  emits: ['session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, body, caller, unit, fail }) {
    const session = await findSession(body.session_id);
    if (session?.environmentId !== environmentId) throw fail(noSuchSession);
    stageRevocation(unit, session);
    // An operator revokes sessions of people whose device or password may be in other hands.
    if (caller.operator !== undefined && session.impersonator === undefined)
      stageEndOfTrust(unit, { environmentId, id: session.userId });
    return { status: 200 };
  },
});

export const sessionOperations = [listUserSessions, revokeSession] as const;
