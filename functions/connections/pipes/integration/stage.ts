import { type Failure, type Issue, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type * as z from 'zod';

import type { AuthMethod } from '../catalogue/schema.ts';
import { isBuiltIn } from '../catalogue/catalogue.ts';
import { configIssues, splitConfig } from '../catalogue/config.ts';
import { findProvider, type FoundProvider } from '../catalogue/find.ts';
import {
  addressIssues,
  defineProvider,
  joinProvider,
  redefineProvider,
  withUsedAddresses,
} from '../custom-provider/stage.ts';
import type { AccountUnit } from '../connected-account/stage.ts';
import { lastFour } from '../../../kernel/text.ts';
import { findIntegration, type IntegrationRecord, integrations } from './entity.ts';
import { integrationExists, providerNotFound } from './errors.ts';
import { integrationIssues, methodsOf } from './rules.ts';
import type { CreateIntegration, UpdateIntegration } from './schema.ts';
import { sealClientSecret, sealConfig } from './secrets.ts';

type CreateBody = z.output<typeof CreateIntegration>;
type UpdateBody = z.output<typeof UpdateIntegration>;

interface Rejections {
  fail: (error: typeof integrationExists | typeof providerNotFound) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** An integration with its provider, in the state that the unit of work writes. */
export interface Changed {
  integration: IntegrationRecord;
  provider: FoundProvider;
}

/** Stages a new integration, and its custom provider if it defines one. */
export async function stageIntegration(
  unit: AccountUnit,
  environmentId: string,
  body: CreateBody,
  { fail, invalid }: Rejections,
): Promise<Changed> {
  const { provider: slug, ownership } = body;
  if ((await findIntegration(environmentId, slug, ownership)) !== undefined) throw fail(integrationExists);
  const provider = await providerFor(unit, environmentId, body, { fail, invalid });
  const { definition } = provider;
  const parts = {
    authMethods: body.auth_methods,
    credentialsType: body.credentials?.type,
    clientId: body.credentials?.client_id,
    clientSecretLastFour: body.credentials?.client_secret && lastFour(body.credentials.client_secret),
    scopes: body.scopes ?? undefined,
  };
  const issues = [
    ...integrationIssues(parts, definition),
    ...configIssues(definition.config, body.config ?? {}, 'integration'),
    ...(body.api_key !== undefined && !body.auth_methods.includes('api_key')
      ? [{ field: 'api_key', code: 'invalid', message: 'is for integrations whose auth_methods include api_key' }]
      : []),
  ];
  if (issues.length > 0) throw invalid(issues);
  const identity = { environmentId, id: newId('data_integration') };
  const config = splitConfig(definition.config, body.config ?? {});
  const secret = body.credentials?.client_secret;
  const { record, write } = integrations.create({
    ...identity,
    slug,
    ownership,
    redirectKey: newId('dik'),
    owner: ENVIRONMENT_OWNER,
    description: body.description ?? undefined,
    enabled: body.enabled,
    ...parts,
    config: config.presented,
    sealedConfig: await sealConfig(identity, config.secret),
    sealedClientSecret: secret === undefined ? undefined : await sealClientSecret(identity, secret),
  });
  unit.stage(write, fail(integrationExists));
  return { integration: record, provider };
}

async function providerFor(
  unit: AccountUnit,
  environmentId: string,
  { provider: slug, ownership, custom_provider: given, auth_methods: methods }: CreateBody,
  { fail, invalid }: Rejections,
): Promise<FoundProvider> {
  if (given !== undefined) {
    const definition = withUsedAddresses(given, methods);
    const reserved = isBuiltIn(slug)
      ? [{ field: 'provider', code: 'reserved', message: 'is the slug of a built-in provider; choose another' }]
      : [];
    const issues = [...reserved, ...addressIssues(definition)];
    if (issues.length > 0) throw invalid(issues);
    return defineProvider(unit, { environmentId, slug, ownership }, definition, fail(integrationExists));
  }
  const found = await orFail(findProvider(environmentId, slug), () => fail(providerNotFound));
  return found.custom === undefined ? found : joinProvider(unit, found.custom, ownership);
}

/** Stages a new state of an integration, and of its custom provider. */
export async function stageIntegrationChange(
  unit: AccountUnit,
  former: IntegrationRecord,
  found: FoundProvider,
  body: UpdateBody,
  { invalid }: Pick<Rejections, 'invalid'>,
): Promise<Changed> {
  const provider = newProvider(unit, found, { body, methods: methodsOf(former) }, invalid);
  const credentials = newCredentials(former, body);
  const scopes = body.scopes === undefined ? former.scopes : (body.scopes ?? undefined);
  const parts = { ...credentials, scopes, authMethods: methodsOf(former) };
  const isTouched = body.credentials ?? body.custom_provider ?? (body.scopes === undefined ? undefined : true);
  const issues = isTouched === undefined ? [] : integrationIssues(parts, provider.definition);
  if (issues.length > 0) throw invalid(issues);
  const secret = credentials.credentialsType === 'custom' ? body.credentials?.client_secret : undefined;
  const { record, write } = integrations.revise(former, {
    description: body.description === undefined ? former.description : (body.description ?? undefined),
    enabled: body.enabled ?? former.enabled,
    scopes,
    ...credentials,
    ...(secret === undefined ? {} : { sealedClientSecret: await sealClientSecret(former, secret) }),
    ...(credentials.credentialsType === 'custom' ? {} : { sealedClientSecret: undefined }),
  });
  unit.stage(write);
  return { integration: record, provider };
}

function newProvider(
  unit: AccountUnit,
  found: FoundProvider,
  { body, methods }: { body: UpdateBody; methods: readonly AuthMethod[] },
  invalid: Rejections['invalid'],
): FoundProvider {
  if (body.custom_provider === undefined) return found;
  const definition = withUsedAddresses(body.custom_provider, methods);
  if (found.custom === undefined) {
    throw invalid([{ field: 'custom_provider', code: 'invalid', message: 'cannot be given for a built-in provider' }]);
  }
  const issues = addressIssues(definition);
  if (issues.length > 0) throw invalid(issues);
  return redefineProvider(unit, found.custom, definition);
}

function newCredentials(former: IntegrationRecord, { credentials }: UpdateBody) {
  if (credentials === undefined) {
    const { credentialsType, clientId, clientSecretLastFour } = former;
    return { credentialsType, clientId, clientSecretLastFour };
  }
  const { type, client_id, client_secret } = credentials;
  if (type === 'organization') {
    return { credentialsType: type, clientId: client_id, clientSecretLastFour: undefined };
  }
  return {
    credentialsType: type,
    clientId: client_id ?? former.clientId,
    clientSecretLastFour: client_secret === undefined ? former.clientSecretLastFour : lastFour(client_secret),
  };
}
