import * as z from 'zod';

import type { Justification } from '../../../../tenancy/modules/trust/public.ts';
import type { IdentityRecord } from './entity.ts';

/** The providers of identities, in the contract's spelling. */
export const IDENTITY_PROVIDERS = [
  'AppleOAuth',
  'BitbucketOAuth',
  'GitHubOAuth',
  'GitLabOAuth',
  'GoogleOAuth',
  'IntuitOAuth',
  'LinkedInOAuth',
  'MicrosoftOAuth',
  'SalesforceOAuth',
  'SlackOAuth',
  'VercelMarketplaceOAuth',
  'VercelOAuth',
  'XeroOAuth',
] as const;

export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

/** The contract spells one provider differently in this list only. */
const SPELLINGS = IDENTITY_PROVIDERS.map((provider) => (provider === 'GitHubOAuth' ? 'GithubOAuth' : provider));

const Identity = z
  .object({
    /** The account's id at the provider. */
    idp_id: z.string(),
    type: z.literal('OAuth'),
    provider: z.enum(SPELLINGS),
  })
  .meta({ id: 'UserlandIdentity' });

export const Identities = z.array(Identity);

/** Reports whether the contract shows an identity; it does not show those at connections of organizations. */
export const isOfContract = ({ provider }: { provider: string }): boolean =>
  (IDENTITY_PROVIDERS as readonly string[]).includes(provider);

/** An identity as the API shows it. */
export const presentIdentity = (identity: { provider: string; subject: string }): z.input<typeof Identity> => ({
  idp_id: identity.subject,
  type: 'OAuth',
  provider: (identity.provider === 'GitHubOAuth' ? 'GithubOAuth' : identity.provider) as z.input<
    typeof Identity
  >['provider'],
});

const SsoIdentity = z
  .object({
    object: z.literal('sso_identity'),
    id: z.string(),
    /** The user's id at the identity provider. */
    idp_id: z.string(),
    connection_id: z.string(),
    organization_id: z.string().nullable(),
    linked_by: z
      .enum(['organization', 'person'])
      .nullable()
      .describe(
        '`organization`: by the connection, while the organization has verified the domain of the user’s address. `person`: by a sign-in of the user, while the membership of that time exists.',
      ),
    created_at: z.string(),
  })
  .meta({ id: 'SsoIdentity' });

export const SsoIdentities = z
  .object({
    object: z.literal('list'),
    data: z.array(SsoIdentity),
    list_metadata: z.object({ before: z.null(), after: z.null() }),
  })
  .meta({ id: 'SsoIdentityList' });

/** An account at a connection as the API shows it. */
export function presentSsoIdentity({
  id,
  subject,
  issuer,
  justification,
  createdAt,
}: IdentityRecord): z.input<typeof SsoIdentity> {
  const { organizationId, by } = (justification ?? {}) as Partial<Justification>;
  return {
    object: 'sso_identity',
    id,
    idp_id: subject,
    connection_id: issuer,
    organization_id: organizationId ?? null,
    linked_by: by ?? null,
    created_at: createdAt,
  };
}
