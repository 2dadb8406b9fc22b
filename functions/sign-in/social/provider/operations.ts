import { createPrivateKey } from 'node:crypto';

import type * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { checkSavedUrl } from '../../../kernel/egress/policy.ts';
import { type Issue, notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { ProviderFacts } from '../catalogue/facts.ts';
import { findFacts } from '../catalogue/find.ts';
import { findProviders, type SocialProviderRecord, providerConfigurations } from './entity.ts';
import { lastFour } from '../../../kernel/text.ts';
import { changed, configurationIssues, nextLocation } from './rules.ts';
import { ConfigureProvider, presentProvider, SocialProviderList, PresentedProvider } from './schema.ts';
import { redirectUriFor } from './client.ts';
import { openProvider, type ProviderSecrets, sealProvider } from './secrets.ts';

const PATH = '/x/social/providers/{provider}';

const providerNotFound = notFound('social provider');

type Body = z.output<typeof ConfigureProvider>;

const presentWithRedirectUri = (record: SocialProviderRecord, facts: ProviderFacts) =>
  presentProvider(record, facts, redirectUriFor(record.environmentId, record.id));

/** Checks the addresses of a body: valid, public, https. */
function addressIssues({ issuer, endpoints }: Body): Issue[] {
  const given = [['issuer', issuer] as const, ...Object.entries(endpoints ?? {}).map(endpointField)];
  return given.flatMap(([field, url]): Issue[] => {
    if (url === undefined || url === null) return [];
    try {
      const { search } = checkSavedUrl(url);
      return field === 'issuer' && search !== '' ? [{ field, code: 'invalid', message: 'must have no query' }] : [];
    } catch (error) {
      if (error instanceof EgressError) return [{ field, code: error.code, message: error.message }];
      throw error;
    }
  });
}

const endpointField = ([name, url]: [string, string | undefined]) => [`endpoints.${name}`, url] as const;

function keyIssues({ apple }: Body): Issue[] {
  if (apple === undefined) return [];
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(apple.private_key);
    if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return [];
  } catch {
    // The text is not a key, and the error must not repeat any part of it.
  }
  return [{ field: 'apple.private_key', code: 'invalid', message: 'must be a private key on P-256 in PEM (PKCS #8)' }];
}

/** The secrets after an update. */
async function nextSecrets(body: Body, former: SocialProviderRecord | undefined): Promise<ProviderSecrets> {
  if (body.apple !== undefined) return { applePrivateKey: body.apple.private_key };
  if (body.client_secret !== undefined) return { clientSecret: body.client_secret };
  return former === undefined ? {} : openProvider(former);
}

/** The attributes after an update. */
async function nextFields(
  environmentId: string,
  provider: string,
  body: Body,
  former: SocialProviderRecord | undefined,
) {
  const secrets = await nextSecrets(body, former);
  const { apple } = body;
  return {
    enabled: body.enabled ?? former?.enabled ?? true,
    clientId: body.client_id ?? former?.clientId ?? '',
    clientSecretLastFour: secrets.clientSecret && lastFour(secrets.clientSecret),
    scopes: changed(body.scopes, former?.scopes),
    returnsTokens: body.return_oauth_tokens ?? former?.returnsTokens ?? false,
    ...nextLocation(body, former),
    ...(apple === undefined
      ? { appleTeamId: former?.appleTeamId, appleKeyId: former?.appleKeyId }
      : { appleTeamId: apple.team_id, appleKeyId: apple.key_id }),
    sealed: await sealProvider(environmentId, provider, secrets),
  };
}

const getProvider = operation({
  id: 'social_providers.get',
  method: 'GET',
  path: PATH,
  summary: 'Get the configuration of a sign-in provider',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: PresentedProvider },
  errors: [providerNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const facts = findFacts(params.provider);
    const record = await providerConfigurations.get(environmentId, params.provider);
    if (facts === undefined || record === undefined) throw fail(providerNotFound);
    return { status: 200, body: presentWithRedirectUri(record, facts) };
  },
});

const configureProvider = operation({
  id: 'social_providers.configure',
  method: 'PUT',
  path: PATH,
  summary: 'Configure a sign-in provider',
  description:
    'Absent fields are unchanged; null restores the provider’s default. A change of `issuer`, `tenant` or `endpoints` requires `client_secret` (for Apple `apple`) again; secrets are ' +
    'never shown. Register the `redirect_uri` of the response with the provider. A change takes effect at once.',
  auth: apiKey,
  operator: 'config.change',
  body: ConfigureProvider,
  ifMatch: getProvider,
  responses: { 200: PresentedProvider },
  errors: [providerNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const facts = findFacts(params.provider);
    if (facts === undefined) throw fail(providerNotFound);
    const former = await providerConfigurations.get(environmentId, params.provider);
    const issues = [...configurationIssues(facts, body, former), ...addressIssues(body), ...keyIssues(body)];
    if (issues.length > 0) throw invalid(issues);
    const fields = await nextFields(environmentId, params.provider, body, former);
    const { record, write } =
      former === undefined
        ? providerConfigurations.create({ environmentId, id: params.provider, owner: ENVIRONMENT_OWNER, ...fields })
        : providerConfigurations.revise(former, fields);
    unit.stage(write);
    return { status: 200, body: presentWithRedirectUri(record, facts) };
  },
});

const deleteProvider = operation({
  id: 'social_providers.delete',
  method: 'DELETE',
  path: PATH,
  summary: 'Delete the configuration of a sign-in provider',
  description:
    'Users can no longer sign in with it. Their identities are kept and work again if it is configured again.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [providerNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(providerConfigurations.get(environmentId, params.provider), () =>
      fail(providerNotFound),
    );
    unit.stage(providerConfigurations.remove(record));
    return { status: 204 };
  },
});

const listProviders = operation({
  id: 'social_providers.list',
  method: 'GET',
  path: '/x/social/providers',
  summary: 'List the configured sign-in providers',
  description: 'Lists all providers by name, in one page.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: SocialProviderList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const data = (await findProviders(environmentId)).flatMap((record) => {
      const facts = findFacts(record.id);
      return facts === undefined ? [] : [presentWithRedirectUri(record, facts)];
    });
    return { status: 200, body: wholeList(data) };
  },
});

export const providerOperations = [listProviders, getProvider, deleteProvider, configureProvider] as const;
