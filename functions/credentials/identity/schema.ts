import * as z from 'zod';

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
