import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { ConfigurationRecord } from '../configuration/entity.ts';
import type { AccountRecord } from './entity.ts';
import { openSecrets } from './secrets.ts';
import { accountFromConfig, checkMethod, type Credentials } from './stage.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import type { authMethodMismatch } from '../integration/errors.ts';
import { integrationState, methodsOf, requestedScopes } from '../integration/rules.ts';
import { clientCredentialsNotConfigured, invalidIntegrationState, invalidTokenCombination } from './errors.ts';
import { classifyTokens, mergeTokens } from './rules.ts';

/** The members of an import or update. */
export interface TokenMembers {
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  expires_at?: string | undefined;
  scopes?: string[] | undefined;
  state?: 'connected' | 'needs_reauthorization' | undefined;
}

/** An integration with the records that an import depends on. */
export interface ImportContext {
  integration: IntegrationRecord;
  definition: ProviderDefinition;
  configuration: ConfigurationRecord | undefined;
}

type FailWith<E> = (error: E, details?: { message?: string }) => Failure;

const tokensOf = (body: TokenMembers) => ({
  accessToken: body.access_token,
  refreshToken: body.refresh_token,
  expiresAt: body.expires_at,
  state: body.state,
});

/** Rejects an import that the integration could never use. */
export function checkImport(
  { integration, definition, configuration }: ImportContext,
  body: TokenMembers,
  fail: FailWith<typeof authMethodMismatch | typeof invalidIntegrationState | typeof clientCredentialsNotConfigured>,
): void {
  checkMethod(integration, 'oauth', fail);
  const parts = { ...integration, authMethods: methodsOf(integration) };
  if (integrationState(parts, definition) !== 'valid') throw fail(invalidIntegrationState);
  const lacksClient = integration.credentialsType === 'organization' && configuration?.clientId === undefined;
  if (body.refresh_token !== undefined && lacksClient) throw fail(clientCredentialsNotConfigured);
}

/** Makes the credentials of an import. */
export function importedCredentials(
  { integration, definition, configuration }: ImportContext,
  body: TokenMembers,
  fail: FailWith<typeof invalidTokenCombination>,
): Credentials {
  const tokens = tokensOf(body);
  const verdict = classifyTokens(tokens, clock.now());
  if (verdict.kind === 'invalid') throw fail(invalidTokenCombination, { message: verdict.reason });
  return {
    authMethod: 'oauth',
    secrets: readSecrets(tokens),
    state: verdict.state,
    scopes: body.scopes ?? requestedScopes(definition, 'oauth', configuration?.scopes, integration.scopes),
    config: {},
    tokenExpiresAt: body.expires_at,
    tokenLifetimeSeconds: computeLifetime(body.expires_at),
    ...accountFromConfig(definition, integration.config as Record<string, string>),
  };
}

/** Makes the credentials of an updated connected account; undefined if its tokens are not a valid combination. */
export async function updatedCredentials(
  former: AccountRecord,
  body: TokenMembers,
): Promise<{ credentials: Credentials } | { reason: string }> {
  const secrets = await openSecrets(former);
  const names = body.access_token ?? body.refresh_token ?? body.expires_at;
  const tokens = mergeTokens({ ...secrets, expiresAt: former.tokenExpiresAt }, tokensOf(body));
  // Without a new token the state is unchanged unless the request names one, and only the state of OAuth accounts depends
  // on tokens.
  const isChecked = former.authMethod === 'oauth' && (names ?? body.state) !== undefined;
  const verdict = isChecked
    ? classifyTokens(tokens, clock.now())
    : { kind: 'state' as const, state: body.state ?? former.state };
  if (verdict.kind === 'invalid') return { reason: verdict.reason };
  return {
    credentials: {
      authMethod: former.authMethod,
      secrets: { ...secrets, ...readSecrets(tokens) },
      state: verdict.state,
      scopes: body.scopes ?? former.scopes,
      config: former.config as Record<string, string>,
      clientId: former.clientId,
      tokenExpiresAt: tokens.expiresAt,
      tokenLifetimeSeconds:
        body.expires_at === undefined ? former.tokenLifetimeSeconds : computeLifetime(body.expires_at),
    },
  };
}

const readSecrets = ({
  accessToken,
  refreshToken,
}: {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}) => ({
  ...(accessToken === undefined ? {} : { accessToken }),
  ...(refreshToken === undefined ? {} : { refreshToken }),
});

/** The remaining lifetime of an imported token; its full lifetime is not known. */
const computeLifetime = (expiresAt: string | undefined): number | undefined =>
  expiresAt === undefined ? undefined : Math.max(0, Math.floor((Date.parse(expiresAt) - clock.now()) / 1_000));
