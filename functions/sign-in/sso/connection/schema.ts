import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import type { ConnectionRecord } from './entity.ts';
import { CONNECTION_TYPES, type ConnectionType } from './types.ts';

export const STATES = ['requires_type', 'draft', 'active', 'validating', 'inactive', 'deleting'] as const;

const ConnectionDomain = z.object({
  id: z.string(),
  object: z.literal('connection_domain'),
  domain: z.string(),
});

export const Connection = z
  .object({
    object: z.literal('connection'),
    id: z.string(),
    organization_id: z.string().optional(),
    connection_type: z.enum(CONNECTION_TYPES),
    name: z.string(),
    state: z.enum(STATES),
    status: z.enum(['linked', 'unlinked']).meta({ deprecated: true }),
    domains: z.array(ConnectionDomain),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Connection' });

export const ConnectionList = listSchema(Connection).meta({ id: 'ConnectionList' });

/** A name of a connection. */
const name = z.string().trim().min(1).max(255);
const url = z.string().min(1).max(2_048);
/** An entity id or another identifier of a party (SAML Core section 8.3.6: at most 1,024 characters). */
const party = z.string().min(1).max(1_024);
const externalId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x00-\x7F]+$/, 'must be ASCII')
  .meta({ maxLength: 128, pattern: '^[\\x00-\\x7F]+$' });
/** A certificate in PEM, or its base64 without the lines around it. */
const certificate = z.string().min(1).max(16_384);
const attribute = z.string().min(1).max(512);

const KeyPair = z
  .object({
    key: secret.min(1).max(16_384).describe('The private key, in PEM.'),
    cert: certificate.describe('The X.509 certificate of the key, in PEM or base64.'),
  })
  .meta({ id: 'CreateConnectionKeyPairDto' });

const MAX_CUSTOM = 50;
const bounded = (map: object): boolean => Object.keys(map).length <= MAX_CUSTOM;
const customName = z.string().min(1).max(128);

const standard = {
  idp_id: attribute.optional(),
  email: attribute.optional(),
  first_name: attribute.optional(),
  last_name: attribute.optional(),
  groups: attribute.nullable().optional(),
  name: attribute.nullable().optional(),
};

const CreateMaps = z
  .object({
    standard_attributes: z.object(standard).meta({ id: 'CreateConnectionStandardAttributesDto' }).optional(),
    custom_attributes: z
      .record(customName, attribute)
      .refine(bounded, `has more than ${MAX_CUSTOM} members`)
      .optional(),
  })
  .meta({ id: 'CreateConnectionAttributeMapsDto' });

const PatchMaps = z
  .object({
    standard_attributes: z.object(standard).meta({ id: 'PatchConnectionStandardAttributesDto' }).optional(),
    custom_attributes: z
      .record(customName, attribute.nullable())
      .refine(bounded, `has more than ${MAX_CUSTOM} members`)
      .optional(),
  })
  .meta({ id: 'PatchConnectionAttributeMapsDto' });

const TOKEN_METHODS = ['client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const;
const ID_TOKEN_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'HS256',
  'HS384',
  'HS512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;

const CreateSaml = z
  .object({
    idp_metadata_url: url.optional(),
    acs_url: url.optional(),
    sp_entity_id: party.optional(),
    idp_entity_id: party.optional(),
    idp_sso_url: url.optional(),
    idp_signing_certs: z.array(certificate).max(20).optional(),
    sp_signing_key_pair: KeyPair.optional(),
    sp_encryption_key_pairs: z.array(KeyPair).max(5).optional(),
  })
  .meta({ id: 'CreateConnectionSamlOptionsDto' });

const CreateOidc = z
  .object({
    discovery_endpoint: url,
    client_id: z.string().min(1).max(1_024),
    client_secret: secret.min(1).max(8_192).optional(),
    redirect_uri: url.optional(),
    pkce: z.boolean().default(true),
    token_authentication_method: z.enum(TOKEN_METHODS).default('client_secret_basic'),
    jwt_signing_key_pair: KeyPair.optional(),
    id_token_signature_algorithm: z.enum(ID_TOKEN_ALGORITHMS).optional(),
    fetch_user_info: z.boolean().optional(),
  })
  .meta({ id: 'CreateConnectionOidcOptionsDto' });

/** The body of POST /connections. It has exactly one of the two options, which the operation checks with its own errors. */
export const CreateConnection = z
  .object({
    organization_id: z.string().min(1).max(255),
    name: name.optional(),
    external_id: externalId.optional(),
    connection_type: z.string().min(1).max(64).optional(),
    attribute_maps: CreateMaps.optional(),
    saml_options: CreateSaml.optional(),
    oidc_options: CreateOidc.optional(),
  })
  .meta({ id: 'CreateConnectionDto' });

export type CreateConnectionBody = z.output<typeof CreateConnection>;

const PatchSaml = z
  .object({
    idp_metadata_url: url.nullable().optional(),
    acs_url: url.nullable().optional(),
    sp_entity_id: party.nullable().optional(),
    idp_entity_id: party.optional(),
    idp_sso_url: url.optional(),
  })
  .meta({ id: 'PatchConnectionSamlOptionsDto' });

const PatchOidc = z
  .object({
    discovery_endpoint: url.optional(),
    client_id: z.string().min(1).max(1_024).optional(),
    client_secret: secret.min(1).max(8_192).optional(),
    redirect_uri: url.nullable().optional(),
    pkce: z.boolean().optional(),
    token_authentication_method: z.enum(TOKEN_METHODS).optional(),
    id_token_signature_algorithm: z.enum(ID_TOKEN_ALGORITHMS).optional(),
    fetch_user_info: z.boolean().optional(),
  })
  .meta({ id: 'PatchConnectionOidcOptionsDto' });

/** The body of PATCH /connections/{id}. Absent fields are unchanged, and null returns to the default. */
export const PatchConnection = z
  .object({
    name: name.optional(),
    external_id: externalId.nullable().optional(),
    connection_type: z.string().min(1).max(64).optional(),
    attribute_maps: PatchMaps.optional(),
    saml_options: PatchSaml.optional(),
    oidc_options: PatchOidc.optional(),
  })
  .meta({ id: 'PatchConnectionDto' });

export type PatchConnectionBody = z.output<typeof PatchConnection>;

/** The verified domains of an organization in the form of a connection, with the same ULID under another prefix. */
export const domainsOfConnection = (organization: Pick<OrganizationSummary, 'presented'> | undefined) =>
  (organization?.presented.domains ?? [])
    .filter(({ state }) => state === 'verified' || state === 'legacy_verified')
    .map(({ id, domain }) => ({ id: `conn_domain_${readUlid(id)}`, object: 'connection_domain' as const, domain }));

/** A connection in the form of the API. */
export function presentConnection(
  record: ConnectionRecord,
  organization: Pick<OrganizationSummary, 'presented'> | undefined,
): z.input<typeof Connection> {
  return {
    object: 'connection',
    id: record.id,
    organization_id: record.organizationId,
    connection_type: record.type as ConnectionType,
    name: record.name,
    state: record.state,
    status: record.state === 'active' ? 'linked' : 'unlinked',
    domains: domainsOfConnection(organization),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** A connection in the form of its events. */
export const presentForEvent = (
  record: ConnectionRecord,
  organization: Pick<OrganizationSummary, 'presented'> | undefined,
) => ({ ...presentConnection(record, organization), external_key: record.externalKey }) as never;
