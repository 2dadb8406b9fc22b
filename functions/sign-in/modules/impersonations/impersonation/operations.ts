import * as z from 'zod';

import {
  isOperatorsEnvironment,
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../../../kernel/authentication/environment-id.ts';
import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { operatorOnly, operatorRequired } from '../../../../kernel/authentication/operator-only.ts';
import { IMPERSONATION_SECONDS } from '../../../../kernel/authentication/impersonation.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { declareError, orFail } from '../../../../kernel/errors.ts';
import { redirectTo } from '../../../../kernel/http/callback.ts';
import { readReason } from '../../../../kernel/http/operator.ts';
import { operation } from '../../../../kernel/operation.ts';
import { issuerOf } from '../../../../kernel/tokens/issuer.ts';
import { secret, timestamp } from '../../../../kernel/values.ts';
import {
  checkSessionOrganization,
  issueImpersonationCode,
  sessionOrganization,
} from '../../authorization-codes/public.ts';
import { defaultRedirectUri, isRedirectUri } from '../../../../tenancy/modules/client-settings/public.ts';
import { findMembership } from '../../../../tenancy/modules/memberships/public.ts';
import { findUser, getUserByEmail, userNotFound, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { isEnabled } from './open.ts';

const CreateImpersonation = z
  .object({
    redirect_uri: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .describe('A registered redirect URI of the application; the default one if absent.'),
    organization_id: sessionOrganization,
  })
  .meta({ id: 'CreateImpersonation' });

const Impersonation = z
  .object({
    object: z.literal('impersonation'),
    user_id: z.string(),
    organization_id: z.string().nullable(),
    url: secret.describe(
      'The redirect URI of the application with a code, which its back end exchanges once, within two minutes.',
    ),
    expires_at: timestamp.describe('The time when the code expires.'),
    impersonator: z.object({ email: z.string(), reason: z.string().nullable() }),
  })
  .meta({ id: 'Impersonation' });

export const impersonationDisabled = declareError({
  status: 403,
  code: 'impersonation_disabled',
  message:
    'This environment does not allow impersonation. PUT /x/user-management/impersonations/settings with "enabled", in production also with "in_production".',
});

export const impersonationNotAllowed = declareError({
  status: 403,
  code: 'impersonation_not_allowed',
  message:
    'No session is opened as this user: either the user is an operator, or has the email address of one, or the caller is not a signed-in operator (a break-glass link names no operator). Choose another user, or sign in as an operator.',
});

/** Reports whether the address of a user is that of an operator, in whichever environment that one has permissions. */
async function isOperator({ email }: UserRecord): Promise<boolean> {
  const operator = await getUserByEmail(OPERATORS_ENVIRONMENT_ID, email);
  const member = operator && (await findMembership(OPERATORS_ENVIRONMENT_ID, operator.id, OPERATORS_ORGANIZATION_ID));
  return member?.status === 'active';
}

export const createImpersonation = operation({
  id: 'impersonations.create',
  method: 'POST',
  path: '/x/user-management/users/{id}/impersonations',
  summary: 'Open a session as a user',
  description:
    `Returns a URL of the application with a code. The session that the exchange opens has the impersonator in its record, its events, the ` +
    `authenticate response and the claim \`act\`. It lasts ${IMPERSONATION_SECONDS / 60} minutes at most. It ends at its next refresh or page of the account if the operator’s own ` +
    'session or permission has ended, or impersonation was disabled. In the session no credential can be changed on the account page, and it cannot be exchanged for a token of an agent or of another application.',
  auth: operatorOnly,
  operator: 'people.impersonate',
  operatorLimit: 'impersonations',
  body: CreateImpersonation,
  bodyOptional: true,
  responses: { 201: Impersonation },
  errors: [userNotFound, operatorRequired, impersonationDisabled, impersonationNotAllowed],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, caller, request, unit, fail, invalid }) {
    const { organization_id: organizationId } = body;
    const [user, operator, allowed, environment, membership, redirectUri] = await awaitAll([
      orFail(findUser(environmentId, params.id), () => fail(userNotFound)),
      findUser(OPERATORS_ENVIRONMENT_ID, caller.actor.id),
      isEnabled(environmentId),
      findEnvironment(environmentId),
      organizationId === undefined ? undefined : findMembership(environmentId, params.id, organizationId),
      body.redirect_uri ?? defaultRedirectUri(environmentId),
    ]);
    if (!allowed) throw fail(impersonationDisabled);
    if (operator === undefined || isOperatorsEnvironment(environmentId)) throw fail(impersonationNotAllowed);
    if (await isOperator(user)) throw fail(impersonationNotAllowed);
    if (redirectUri === undefined || !(await isRedirectUri(environmentId, redirectUri))) {
      const message = 'must be a redirect URI that is registered, or absent if there is a default one';
      throw invalid([{ field: 'redirect_uri', code: 'not_registered', message }]);
    }
    checkSessionOrganization(organizationId, membership, invalid);
    const impersonator = { email: operator.email, reason: readReason(request) ?? null };
    const operatorSessionId = caller.operator?.sessionId;
    const { code, validUntil } = issueImpersonationCode(unit, user, {
      redirectUri,
      organizationId,
      impersonation: {
        impersonator,
        operatorId: operator.id,
        ...(operatorSessionId !== undefined && { operatorSessionId }),
      },
    });
    return {
      status: 201,
      body: {
        object: 'impersonation' as const,
        user_id: user.id,
        organization_id: organizationId ?? null,
        url: redirectTo({ redirectUri, issuer: environment && issuerOf(environment) }, { code }),
        expires_at: new Date(validUntil).toISOString(),
        impersonator,
      },
    };
  },
});

export const impersonationOperations = [createImpersonation] as const;
