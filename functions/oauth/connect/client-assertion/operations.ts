import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { type ApplicationRecord, applicationNotFound, applications, findApplication } from '../application/entity.ts';
import { isKeysUri } from '../registration/rules.ts';
import { type Jwk, readKeys } from './rules.ts';

const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'OAuthClientJwks' });

const ClientKeys = z.object({ jwks: Jwks.nullable(), jwks_uri: z.string().nullable() }).meta({ id: 'OAuthClientKeys' });

const present = ({ keys, keysUri }: ApplicationRecord): z.input<typeof ClientKeys> => ({
  jwks: keys === undefined ? null : { keys: keys as Record<string, unknown>[] },
  jwks_uri: keysUri ?? null,
});

const common = {
  path: '/x/connect/applications/{id}/keys',
  auth: apiKey,
  responses: { 200: ClientKeys },
  errors: [applicationNotFound],
  emits: [],
} as const;

const getKeys = operation({
  ...common,
  id: 'connect_applications.get_keys',
  method: 'GET',
  operator: 'config.read',
  etag: true,
  summary: 'Read the public keys of an application',
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    return { status: 200, body: present(application) };
  },
});

const setKeys = operation({
  ...common,
  id: 'connect_applications.set_keys',
  method: 'PUT',
  operator: 'secrets.write',
  ifMatch: getKeys,
  summary: 'Set the public keys of an application',
  description:
    'With keys, the application authenticates by signed assertions (`private_key_jwt`, RFC 7523), in addition to its client ' +
    'secrets. Send either the keys or the https URL of a JWK Set, which is fetched when it is needed; null or an absent field removes them. Keys are RSA of 2,048 bits or more, P-256, P-384 or Ed25519, ten at most.',
  body: z
    .object({ jwks: Jwks.nullable().optional(), jwks_uri: z.string().max(1_000).nullable().optional() })
    .meta({ id: 'SetOAuthClientKeys' }),
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const jwks = body.jwks ?? undefined;
    const keysUri = body.jwks_uri ?? undefined;
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    const read = jwks === undefined ? { keys: undefined } : readKeys(jwks);
    if ('fault' in read) throw invalid([{ field: 'jwks', code: 'invalid_keys', message: read.fault }]);
    if (keysUri !== undefined && jwks !== undefined) {
      throw invalid([{ field: 'jwks_uri', code: 'several_sources', message: 'and jwks exclude each other' }]);
    }
    if (keysUri !== undefined && !isKeysUri(keysUri)) {
      throw invalid([
        { field: 'jwks_uri', code: 'invalid_uri', message: 'must be https, without fragment and user name' },
      ]);
    }
    const keys: Jwk[] | undefined = read.keys;
    const { record, write } = applications.revise(application, { keys, keysUri });
    unit.stage(write);
    return { status: 200, body: present(record) };
  },
});

/** The operations on the keys of an application. */
export const clientKeyOperations = [getKeys, setKeys] as const;
