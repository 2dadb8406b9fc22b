import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock, isoAfter } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import { isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { isLive, openSessionRow } from '../../../tenancy/sessions/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { accountSettings } from '../settings.ts';
import { LINK_SECONDS } from './entity.ts';
import { stageAccountLink } from './stage.ts';

const CreateAccountLink = z
  .object({
    return_url: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The address of the link back: a registered redirect URI.'),
    session_id: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe(
        'The user’s session in your application (`sid` of the access token). The page ends with it, and a change of the password keeps it.',
      ),
  })
  .meta({ id: 'CreateAccountLink' });

const AccountLink = z
  .object({
    link: secret.describe('The link, which can be opened once within five minutes.'),
    expires_at: timestamp.describe('The time when the link expires.'),
  })
  .meta({ id: 'AccountLink' });

const accountPageDisabled = declareError({
  status: 403,
  code: 'account_page_disabled',
  message: 'The settings of this environment disable the account page. Enable it with PUT /x/account/settings.',
});

export const createAccountLink = operation({
  id: 'users.create_account_link',
  method: 'POST',
  path: '/x/user-management/users/{id}/account_link',
  summary: 'Create a link with which a user opens the account page',
  description:
    `The link can be opened once, within ${LINK_SECONDS / 60} minutes. Redirect the signed-in user to it at once; do not mail it. The account page then stays open for ` +
    'an hour at most, and for twenty minutes without use. The link does not sign the browser in to the hosted pages. A change still requires a proof of identity.',
  auth: apiKey,
  body: CreateAccountLink,
  bodyOptional: true,
  responses: { 201: AccountLink },
  errors: [userNotFound, accountPageDisabled],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { return_url: returnUrl, session_id: sessionId } = body;
    const [user, { enabled }, session, isRegistered] = await awaitAll([
      orFail(findUser(environmentId, params.id), () => fail(userNotFound)),
      findSettings(environmentId, accountSettings),
      sessionId === undefined ? undefined : openSessionRow(environmentId, params.id, sessionId),
      returnUrl === undefined || isRedirectUri(environmentId, returnUrl),
    ]);
    if (!enabled) throw fail(accountPageDisabled);
    if (!isRegistered || (returnUrl !== undefined && !/^https?:/.test(returnUrl))) {
      const message = 'must be an https address that is registered as a redirect URI';
      throw invalid([{ field: 'return_url', code: 'not_registered', message }]);
    }
    if (sessionId !== undefined && (session === undefined || !isLive(session))) {
      throw invalid([
        { field: 'session_id', code: 'session_not_found', message: 'must be a live session of the user' },
      ]);
    }
    const link = stageAccountLink(unit, user, {
      ...(sessionId !== undefined && { sessionId }),
      ...(returnUrl !== undefined && { returnUrl }),
    });
    return { status: 201, body: { link, expires_at: isoAfter(clock.timestamp(), LINK_SECONDS) } };
  },
});

export const linkOperations = [createAccountLink] as const;
