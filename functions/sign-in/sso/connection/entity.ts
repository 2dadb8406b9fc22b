import { collection } from '../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/**
 * A connection of an organization to its identity provider. It belongs to the environment: after its organization was deleted, the
 * worker `work` deletes it with its event.
 */
const ConnectionEntity = entity({
  model: model('connection'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    type: { type: 'string', required: true },
    protocol: { type: ['saml', 'oidc', 'none'] as const, required: true },
    name: { type: 'string', required: true },
    state: {
      type: ['requires_type', 'draft', 'validating', 'active', 'inactive', 'deleting'] as const,
      required: true,
    },
    /** True if it is inactive only because every certificate has expired. */
    hasLapsed: { type: 'boolean' },
    externalId: { type: 'string' },
    /** The key in the URLs of the connection, generated or imported. */
    externalKey: { type: 'string', required: true },
    /** The SAML options, a {@link SamlPart}. */
    saml: { type: 'any' },
    /** The OpenID Connect options, an {@link OidcPart}. */
    oidc: { type: 'any' },
    /** The attribute names, {@link AttributeMaps}. */
    attributeMaps: { type: 'any', required: true },
    /** The members of {@link ConnectionSettings} that differ from the defaults. */
    settings: { type: 'any', required: true },
    /** The secrets, {@link ConnectionSecrets}, encrypted. */
    sealed: { type: 'any' },
    /** The time of the first successful sign-in or test (ISO 8601). */
    provenAt: { type: 'string' },
    /** The reminders that were sent, by the id of the certificate ({@link Reminded}). */
    reminded: { type: 'any' },
  },
  indexes: {
    primary: recordKey('connection'),
    byCreation: creationIndex('connection'),
    /** Connections of a type: one Query for each page. */
    byType: attributeIndex('connection', 'type'),
    /** Connections whose certificates or metadata are to be checked. */
    due: dueIndex('connection'),
    owned: ownedIndex,
  },
});

export type ConnectionRecord = RecordOf<typeof ConnectionEntity>;

/** Connections: `get` is one GetItem, `list` by `byCreation` one Query. */
export const connections = collection(ConnectionEntity, {
  events: [
    'connection.activated',
    'connection.deactivated',
    'connection.deleted',
    'connection.saml_certificate_renewed',
    'connection.saml_certificate_renewal_required',
  ],
  silent: [
    'creation',
    'removal',
    'state',
    'hasLapsed',
    'type',
    'protocol',
    'name',
    'externalId',
    'externalKey',
    'saml',
    'oidc',
    'attributeMaps',
    'settings',
    'sealed',
    'provenAt',
    'reminded',
    'dueShard',
    'dueAt',
  ],
});

/** Connections whose check of certificates and metadata is due. */
export const dueConnections = (limit: number): Promise<ConnectionRecord[]> => findDue(connections.entity(), limit);

/** A certificate in its stored form: PEM, and its validity in ISO 8601. */
export interface StoredCertificate {
  id: string;
  value: string;
  notBefore: string | null;
  notAfter: string | null;
  createdAt: string;
}

/** The SAML options of a connection. */
export interface SamlPart {
  idpMetadataUrl?: string | undefined;
  /** The ETag of the metadata that was read last. */
  metadataEtag?: string | undefined;
  idpEntityId?: string | undefined;
  idpSsoUrl?: string | undefined;
  /** Custom values; if absent, the service's own. */
  acsUrl?: string | undefined;
  spEntityId?: string | undefined;
  idpCertificates: StoredCertificate[];
  spSigning?: StoredCertificate | undefined;
  spEncryption: StoredCertificate[];
}

/** The endpoints and algorithms of an OpenID provider, from its discovery document. */
export interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  userinfo_endpoint?: string | undefined;
  end_session_endpoint?: string | undefined;
  revocation_endpoint?: string | undefined;
  id_token_signing_alg_values_supported?: string[] | undefined;
  authorization_response_iss_parameter_supported?: boolean | undefined;
}

/** The OpenID Connect options of a connection. */
export interface OidcPart {
  discoveryEndpoint: string;
  metadata: ProviderMetadata;
  clientId: string;
  clientSecretLastFour?: string | undefined;
  redirectUri?: string | undefined;
  pkce: boolean;
  tokenAuthenticationMethod: 'client_secret_post' | 'client_secret_basic' | 'private_key_jwt';
  /** The certificate of the key that signs client assertions. */
  jwtCertificate?: StoredCertificate | undefined;
  idTokenSignatureAlgorithm?: string | undefined;
  fetchUserInfo?: boolean | undefined;
}

/** Maximum number of certificates of the identity provider, and of keys that decrypt its responses. */
export const MAX_IDP_CERTIFICATES = 20;
export const MAX_ENCRYPTION_PAIRS = 5;
