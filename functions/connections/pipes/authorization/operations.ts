import { generateRandomCodeVerifier } from 'oauth4webapi';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type Failure, type Issue, orFail } from '../../../kernel/errors.ts';
import { COOKIES } from '../../../kernel/http/cookies.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import type * as z from 'zod';

import { configIssues, missingConfig, splitConfig } from '../catalogue/config.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import { findProvider } from '../catalogue/find.ts';
import { type ConfigurationRecord, findConfiguration } from '../configuration/entity.ts';
import {
  checkOwner,
  type AccountOwner,
  notAnActiveMember,
  readOwner,
  type OwnerState,
  userNotFound,
} from '../connected-account/owner.ts';
import { checkMethod, readAccounts } from '../connected-account/stage.ts';
import { scopesFor } from '../credentials/vend.ts';
import { findIntegration, type IntegrationRecord } from '../integration/entity.ts';
import { accountNotFound, authMethodMismatch, integrationNotFound } from '../integration/errors.ts';
import { configValues, oauthClient } from '../oauth/server.ts';
import { pipesSettings } from '../settings.ts';
import { authorizations } from './entity.ts';
import { authorizationUrl, findContext } from './request.ts';
import { AuthorizationUrl, Authorize } from './schema.ts';
import { mintState, sealAuthorization } from './token.ts';

/** Time in seconds within which a user must agree at the provider. */
export const LIFETIME_SECONDS = COOKIES.connect.life;

const integrationDisabled = declareError({
  status: 403,
  code: 'data_integration_disabled',
  message:
    'The integration is not enabled, or the organization has disabled it for itself. Set `enabled` of the integration, or of the organization’s configuration.',
});

const errors = [
  integrationNotFound,
  accountNotFound,
  userNotFound,
  organizationNotFound,
  notAnActiveMember,
  integrationDisabled,
  authMethodMismatch,
] as const;

type Body = z.output<typeof Authorize>;

interface Rejections {
  fail: (error: (typeof errors)[number]) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

interface Target {
  owner: AccountOwner;
  integration: IntegrationRecord;
  definition: ProviderDefinition;
  configuration: ConfigurationRecord | undefined;
  state: OwnerState;
}

/** Finds the integration that a request names and checks its owner's records, by parallel reads. */
async function findTarget(environmentId: string, slug: string, body: Body, rejections: Rejections): Promise<Target> {
  const { fail, invalid } = rejections;
  const owner = readOwner(body, invalid);
  const { organizationId } = owner;
  const [integration, provider, configuration, state] = await awaitAll([
    findIntegration(environmentId, slug, owner.ownership),
    findProvider(environmentId, slug),
    organizationId === undefined ? undefined : findConfiguration(environmentId, organizationId, slug),
    checkOwner(environmentId, owner, body.user_id, rejections),
  ]);
  if (integration === undefined || provider === undefined) throw fail(integrationNotFound);
  if (!integration.enabled || configuration?.enabled === false) throw fail(integrationDisabled);
  checkMethod(integration, 'oauth', fail);
  return { owner, integration, definition: provider.definition, configuration, state };
}

const issue = (field: string, code: string, message: string): Issue => ({ field, code, message });

/** The errors that prevent an authorization from being started. */
async function issuesOf(environmentId: string, target: Target, body: Body): Promise<Issue[]> {
  const { integration, definition } = target;
  const given = body.config ?? {};
  const [client, values, isRegistered] = await awaitAll([
    oauthClient(target),
    configValues(target, given),
    body.return_to === undefined
      ? true
      : isRedirectUri(environmentId, body.return_to, { wildcards: body.code_challenge === undefined }),
  ]);
  const isOwn = integration.credentialsType === 'organization';
  return [
    ...(client === undefined
      ? [
          issue(
            isOwn ? 'organization_id' : 'user_id',
            'client_credentials_not_configured',
            isOwn ? 'names no organization with an OAuth client of its own' : 'no OAuth client is configured',
          ),
        ]
      : []),
    ...(isRegistered ? [] : [issue('return_to', 'unregistered', 'is not one of the environment’s redirect URIs')]),
    ...challengeIssues(body),
    ...(body.connected_account_id !== undefined && body.connection_intent === 'add'
      ? [issue('connected_account_id', 'invalid', 'cannot be named if connection_intent is add')]
      : []),
    ...(body.connected_account_id === undefined && body.connection_intent === 'reauthorize'
      ? [issue('connected_account_id', 'required', 'is required when connection_intent is reauthorize')]
      : []),
    ...configIssues(definition.config, given, 'installation'),
    ...missingConfig(definition.config, 'oauth', values),
  ];
}

/** Checks the members of a connected account that the application finishes, which needs an address for its code. */
const challengeIssues = ({ code_challenge, code_challenge_method, return_to }: Body): Issue[] => [
  ...(code_challenge !== undefined && return_to === undefined
    ? [issue('return_to', 'required', 'is required with code_challenge')]
    : []),
  ...(code_challenge_method !== undefined && code_challenge === undefined
    ? [issue('code_challenge', 'required', 'is required with code_challenge_method')]
    : []),
];

/** Checks that a named connected account belongs to the owner. */
async function checkNamed(
  { owner, integration, state }: Target,
  id: string | undefined,
  fail: Rejections['fail'],
): Promise<void> {
  if (id === undefined) return;
  const { own } = await readAccounts(integration, owner, state.epoch);
  if (!own.some((account) => account.id === id)) throw fail(accountNotFound);
}

export const authorizeAccount = operation({
  id: 'data_integrations.authorize',
  method: 'POST',
  path: '/data-integrations/{slug}/authorize',
  summary: 'Get the URL at which a user connects an account',
  description:
    'The URL can be used once, within 15 minutes. It opens a page that shows the provider and the application and asks ' +
    'for confirmation, unless `authorization_start` in the settings is `redirect`. `return_to` must be one of the ' +
    'environment’s redirect URIs; it receives failures as `error`, `error_description` and `state`. With a ' +
    '`code_challenge` nothing is stored yet: `return_to`, which must be registered without a wildcard, gets a ' +
    '`connect_code` and `state`, and your server finishes the connection with the `code_verifier`.',
  auth: apiKey,
  body: Authorize,
  responses: { 200: AuthorizationUrl },
  errors,
  emits: [],
  // The response contains a credential, with which its holder can create the connected account.
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const target = await findTarget(environmentId, params.slug, body, { fail, invalid });
    const issues = await issuesOf(environmentId, target, body);
    if (issues.length > 0) throw invalid(issues);
    await checkNamed(target, body.connected_account_id, fail);
    const { integration, definition, owner } = target;
    const { authorization_start: start } = await findSettings(environmentId, pipesSettings);
    const { token, id } = mintState(environmentId);
    const config = splitConfig(definition.config, body.config ?? {});
    const verifier = definition.oauth?.pkce === true ? generateRandomCodeVerifier() : undefined;
    const { record, write } = authorizations.create({
      environmentId,
      id,
      slug: integration.slug,
      integrationId: integration.id,
      redirectKey: integration.redirectKey,
      ownership: integration.ownership,
      userId: body.user_id,
      ownershipEpoch: target.state.actorEpoch,
      organizationId: owner.organizationId,
      intent: body.connection_intent,
      connectedAccountId: body.connected_account_id,
      scopes: scopesFor(target, 'oauth'),
      config: config.presented,
      sealed: await sealAuthorization({ environmentId, id }, { verifier, config: config.secret }),
      returnTo: body.return_to,
      codeChallenge: body.code_challenge,
      stage: start === 'confirm' ? 'waiting' : 'started',
      expiresAt: clock.seconds() + LIFETIME_SECONDS,
    });
    unit.stage(write);
    const more = {
      state: id,
      ...(body.code_challenge === undefined ? {} : { completion: 'finish_required' as const }),
    };
    if (start === 'confirm') {
      return {
        status: 200,
        body: { url: `${settings().GATEHOUSE_BASE_URL}/x/pipes/authorizations/${token}`, ...more },
      };
    }
    const context = await orFail(findContext(record), () => fail(integrationNotFound));
    return { status: 200, body: { url: await authorizationUrl(context, record.scopes, token), ...more } };
  },
});

export const authorizationOperations = [authorizeAccount] as const;
