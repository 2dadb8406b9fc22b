import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { checkSessionOrganization, sessionOrganization } from '../../modules/authorization-codes/public.ts';
import { findSlugsThatAreOn } from '../../../access/feature-flags/public.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { describeAccessToken } from '../../../tenancy/sessions/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { readTokenSubject } from './subject.ts';

const PreviewAccessToken = z
  .object({
    user_id: z.string().min(1).max(255),
    organization_id: sessionOrganization,
    content: z
      .string()
      .max(16_384)
      .optional()
      .describe(
        'A template to try; that of the environment if absent. It is not saved. (Only a template of at most 4,096 bytes can be saved.)',
      ),
  })
  .meta({ id: 'PreviewAccessToken' });

const AccessTokenPreview = z
  .object({
    object: z.literal('access_token_preview'),
    claims: z
      .record(z.string(), z.unknown())
      .describe(
        'The claims of an access token of this user, without those of one session (`sid`, `auth_time`, `exp`).',
      ),
    custom_claims: z.array(z.string()).describe('The names of the claims that the template sets.'),
    fault: z
      .object({ code: z.enum(['invalid_template', 'too_big', 'too_slow']), message: z.string() })
      .nullable()
      .describe(
        'The reason why the template gives this user no claims; null if it gives claims. With `too_big` a sign-in of the user is rejected (`token_too_big`); with the others the token has no custom claims.',
      ),
  })
  .meta({ id: 'AccessTokenPreview' });

export const previewAccessToken = operation({
  id: 'jwt_template.preview',
  method: 'POST',
  path: '/x/user-management/jwt_template/preview',
  summary: 'Preview the claims of a user’s access tokens',
  description: 'Renders the template of custom claims for a user. No token is issued, and nothing is changed.',
  auth: apiKey,
  operator: 'people.read',
  body: PreviewAccessToken,
  responses: { 200: AccessTokenPreview },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, fail, invalid }) {
    const { user_id: userId, organization_id: organizationId, content } = body;
    const [user, membership, flags] = await awaitAll([
      orFail(findUser(environmentId, userId), () => fail(userNotFound)),
      organizationId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
      findSlugsThatAreOn(environmentId, [userId, ...(organizationId === undefined ? [] : [organizationId])]),
    ]);
    checkSessionOrganization(organizationId, membership, invalid);
    const described = await describeAccessToken(
      environmentId,
      await readTokenSubject({ user, membership, flags }),
      content,
    );
    return { status: 200, body: { object: 'access_token_preview' as const, ...described } };
  },
});

export const tokenPreviewOperations = [previewAccessToken] as const;
