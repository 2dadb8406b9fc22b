import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { AttemptDetails, MappedValues } from './shape.ts';
import type { AttemptRecord } from './entity.ts';

const Check = z.object({
  check: z.string().describe('The name of the check. The checks are listed in the order in which they are made.'),
  outcome: z.enum(['passed', 'failed', 'not_reached', 'not_applicable']),
  detail: z.string().nullable().describe('The reason for the failure, for the administrator of the identity provider.'),
});

export const Attempt = z
  .object({
    object: z.literal('sso_attempt'),
    id: z.string(),
    connection_id: z.string(),
    organization_id: z.string(),
    kind: z
      .enum(['sign_in', 'unsolicited', 'test'])
      .describe(
        'The kind of the attempt. `unsolicited`: the identity provider began it. `test`: a test sign-in, which signs no user in.',
      ),
    outcome: z
      .enum(['pending', 'succeeded', 'failed'])
      .describe(
        'The result. `pending`: the response is verified, and the user’s browser has not yet continued the sign-in with it.',
      ),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    checks: z.array(Check),
    subject: z.string().nullable().describe('The NameID of the assertion, or `sub` of the ID token.'),
    claims: z
      .record(z.string(), z.unknown())
      .describe('The verified claims, under the names that the provider gives them.'),
    claims_cut: z
      .boolean()
      .describe('True if the response had more than 8 KiB of claims; `claims` then lacks some of them.'),
    profile: z
      .object({
        idp_id: z.string().nullable(),
        email: z.string().nullable(),
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
        name: z.string().nullable(),
        groups: z.array(z.string()),
        custom_attributes: z.record(z.string(), z.unknown()),
      })
      .nullable()
      .describe(
        'The profile that results from the attribute maps, even if required values are missing; null if the response failed a check before its claims were read.',
      ),
    authentication_contexts: z
      .array(z.string())
      .describe('The methods by which the provider authenticated the user: AuthnContextClassRef, or `acr` and `amr`.'),
    authenticated_at: z
      .string()
      .nullable()
      .describe('The time of the authentication at the provider: AuthnInstant, or `auth_time`.'),
    consequence: z
      .object({
        kind: z
          .enum(['sign_in', 'create_user', 'own_sign_in', 'rejected'])
          .describe(
            '`sign_in`: an existing user is signed in. `create_user`: a new user is created. `own_sign_in`: the user must ' +
              'first sign in to the existing account by their own methods, since the address is not in the organization’s domains. `rejected`: the sign-in is rejected, for `reason`.',
          ),
        reason: z.string().nullable(),
        roles: z
          .array(z.string())
          .describe('The roles that the user’s groups give. If the list is empty, a new member gets the default role.'),
      })
      .nullable()
      .describe('The effect that a sign-in would have had; only for a test.'),
    user_id: z.string().nullable(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'SsoAttempt' });

export type Consequence = NonNullable<z.output<typeof Attempt>['consequence']>;

export const ListAttempts = z.object(pageMembers('sso_attempt'));
export const AttemptList = listSchema(Attempt).meta({ id: 'SsoAttemptList' });

const presentMapped = (profile: MappedValues) => ({
  idp_id: profile.idpId ?? null,
  email: profile.email ?? null,
  first_name: profile.firstName ?? null,
  last_name: profile.lastName ?? null,
  name: profile.name ?? null,
  groups: [...profile.groups],
  custom_attributes: { ...profile.custom },
});

const presentDetails = (details: AttemptDetails = { checks: [], claims: {}, isCut: false }) => ({
  checks: details.checks.map(({ check, outcome, detail = null }) => ({ check, outcome, detail })),
  subject: details.subject ?? null,
  claims: details.claims,
  claims_cut: details.isCut,
  profile: details.profile === undefined ? null : presentMapped(details.profile),
  authentication_contexts: [...(details.contexts ?? [])],
  authenticated_at: details.authenticatedAt === undefined ? null : new Date(details.authenticatedAt).toISOString(),
});

/** An attempt as the API shows it. @param details Undefined if they could not be encrypted when it was stored. */
export function presentAttempt(record: AttemptRecord, details: AttemptDetails | undefined): z.input<typeof Attempt> {
  const { errorCode, errorMessage } = record;
  return {
    object: 'sso_attempt',
    id: record.id,
    connection_id: record.connectionId,
    organization_id: record.organizationId,
    kind: record.kind,
    outcome: record.outcome,
    error: errorCode === undefined ? null : { code: errorCode, message: errorMessage ?? '' },
    ...presentDetails(details),
    consequence: (record.consequence as Consequence | undefined) ?? null,
    user_id: record.userId ?? null,
    ip_address: record.ipAddress ?? null,
    user_agent: record.userAgent ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
