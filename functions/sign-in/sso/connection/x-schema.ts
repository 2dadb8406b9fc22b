import * as z from 'zod';

import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { timestamp } from '../../../kernel/values.ts';
import { readParty, metadataUrl } from './addresses.ts';
import type { ConnectionRecord, OidcPart, SamlPart } from './entity.ts';
import { type AttributeMaps, oidcIn, samlIn } from './rules.ts';
import { Connection, presentConnection } from './schema.ts';
import { ConnectionSettings, settingsIn } from './settings.ts';

const text = z.string().nullable();

const Certificate = z.object({ id: z.string(), not_before: text, not_after: text });

const PresentedSaml = z
  .object({
    idp_metadata_url: text,
    idp_entity_id: text,
    idp_sso_url: text,
    idp_signing_certs: z.array(Certificate),
    acs_url: z.string().describe('The URL to which the identity provider sends its responses.'),
    sp_entity_id: z.string(),
    sp_metadata_url: z.string(),
    sp_signing_cert: Certificate.nullable(),
    sp_encryption_certs: z.array(Certificate),
  })
  .meta({ id: 'SsoConnectionSamlOptions' });

const PresentedOidc = z
  .object({
    discovery_endpoint: text.describe(
      'The URL of the discovery document. It and `issuer`, which is read from that document, are null for a draft whose provider is not set.',
    ),
    issuer: text,
    client_id: text,
    client_secret_last_four: text,
    redirect_uri: z
      .string()
      .describe('The redirect URI of this service, which must be registered with the identity provider.'),
    pkce: z.boolean(),
    token_authentication_method: text,
    jwt_signing_cert: text.describe('The certificate of the key that signs client assertions, in PEM.'),
    id_token_signature_algorithm: text,
    fetch_user_info: z.boolean(),
  })
  .meta({ id: 'SsoConnectionOidcOptions' });

export const PresentedConnection = z
  .object({
    ...Connection.shape,
    external_id: text,
    external_key: z.string(),
    has_lapsed: z.boolean().describe('True if the connection is inactive because all its certificates have expired.'),
    proven_at: timestamp
      .nullable()
      .describe('The time of the first successful sign-in or test; null if there was none.'),
    saml_options: PresentedSaml.nullable(),
    oidc_options: PresentedOidc.nullable(),
    attribute_maps: z.object({
      standard_attributes: z.record(z.string(), z.string().nullable()),
      custom_attributes: z
        .record(z.string(), z.string())
        .describe(
          'By the name of your own field of the profile: the name of the attribute or claim at the identity provider.',
        ),
    }),
    settings: ConnectionSettings,
  })
  .meta({ id: 'SsoConnection' });

const presentCertificate = ({ id, notBefore, notAfter }: SamlPart['idpCertificates'][number]) => ({
  id,
  not_before: notBefore,
  not_after: notAfter,
});

const presentSaml = (record: ConnectionRecord, saml: SamlPart): z.input<typeof PresentedSaml> => ({
  idp_metadata_url: saml.idpMetadataUrl ?? null,
  idp_entity_id: saml.idpEntityId ?? null,
  idp_sso_url: saml.idpSsoUrl ?? null,
  idp_signing_certs: saml.idpCertificates.map(presentCertificate),
  acs_url: readParty(record).acsUrl,
  sp_entity_id: readParty(record).entityId,
  sp_metadata_url: metadataUrl(record),
  sp_signing_cert: saml.spSigning === undefined ? null : presentCertificate(saml.spSigning),
  sp_encryption_certs: saml.spEncryption.map(presentCertificate),
});

const presentOidc = (record: ConnectionRecord, oidc: OidcPart | undefined): z.input<typeof PresentedOidc> => ({
  discovery_endpoint: oidc?.discoveryEndpoint ?? null,
  issuer: oidc?.metadata.issuer ?? null,
  client_id: oidc?.clientId ?? null,
  client_secret_last_four: oidc?.clientSecretLastFour ?? null,
  redirect_uri: readParty(record).redirectUri,
  pkce: oidc?.pkce ?? true,
  token_authentication_method: oidc?.tokenAuthenticationMethod ?? null,
  jwt_signing_cert: oidc?.jwtCertificate?.value ?? null,
  id_token_signature_algorithm: oidc?.idTokenSignatureAlgorithm ?? null,
  fetch_user_info: oidc?.fetchUserInfo ?? false,
});

/** A connection with its options, but without its secrets. */
export function presentFully(
  record: ConnectionRecord,
  organization: Pick<OrganizationSummary, 'presented'> | undefined,
): z.input<typeof PresentedConnection> {
  const saml = samlIn(record);
  const maps = record.attributeMaps as AttributeMaps;
  const standard = Object.entries(maps.standard).map(([name, value]) => [name, value ?? null]);
  return {
    ...presentConnection(record, organization),
    external_id: record.externalId ?? null,
    external_key: record.externalKey,
    has_lapsed: record.hasLapsed ?? false,
    proven_at: record.provenAt ?? null,
    saml_options: saml === undefined ? null : presentSaml(record, saml),
    oidc_options: record.protocol === 'oidc' ? presentOidc(record, oidcIn(record)) : null,
    attribute_maps: {
      standard_attributes: Object.fromEntries(standard) as Record<string, string | null>,
      custom_attributes: { ...maps.custom },
    },
    settings: settingsIn(record),
  };
}
