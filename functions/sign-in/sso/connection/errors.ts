import { declareError, notFound } from '../../../kernel/errors.ts';

export const connectionNotFound = notFound('connection');

const bad = <const Code extends string>(code: Code, message: string) => declareError({ status: 400, code, message });

export const externalIdInUse = bad(
  'external_id_already_in_use',
  'Another connection of this environment has this external_id. Use a different one.',
);
export const typeNotSupported = bad(
  'connection_type_not_supported',
  'Connections of this type cannot be created or changed here. Use one of the SAML or OpenID Connect types.',
);
export const typeOrOptionsRequired = bad(
  'connection_type_or_options_required',
  'Send saml_options or oidc_options; connection_type is inferred from them.',
);
export const typeConflictsWithOptions = bad(
  'connection_type_conflicts_with_options',
  'The connection_type and the options belong to different protocols. Send saml_options for a SAML type and oidc_options for an OpenID Connect type.',
);
export const metadataNeedsSaml = bad(
  'connection_type_conflicts_with_options',
  'Only SAML connections have metadata. Configure an OpenID Connect connection with oidc_options in PATCH /connections/{id}.',
);
export const bothOptions = bad(
  'both_saml_and_oidc_options_provided',
  'Send either saml_options or oidc_options, not both.',
);
export const ambiguousSaml = bad(
  'ambiguous_saml_options',
  'idp_metadata_url replaces idp_entity_id, idp_sso_url and idp_signing_certs. Send either idp_metadata_url or the other fields. ' +
    'To replace the idp_metadata_url of a connection by the other fields, send null for it with them.',
);
export const incompleteSaml = bad(
  'incomplete_saml_options',
  'Send idp_metadata_url, or idp_entity_id, idp_sso_url and at least one certificate in idp_signing_certs.',
);
export const samlOptionsRequired = bad('saml_options_required', 'A connection of a SAML type needs saml_options.');
export const oidcOptionsRequired = bad(
  'oidc_options_required',
  'A connection of an OpenID Connect type needs oidc_options.',
);
export const invalidCertificate = bad(
  'invalid_certificate',
  'A certificate cannot be read. Send X.509 in PEM or base64, with an RSA key of at least 2048 bits or an EC key.',
);
export const clientSecretRequired = bad(
  'client_secret_required',
  'client_secret is required for client_secret_basic and client_secret_post.',
);
export const clientSecretNotAccepted = bad(
  'client_secret_not_accepted',
  'private_key_jwt authenticates with a key. Leave client_secret out.',
);
export const keyPairNotAccepted = bad(
  'key_pair_not_accepted',
  'The key pair cannot be used. Send a private key in PEM together with its certificate. sp_encryption_key_pairs, and pairs that ' +
    'are added to an existing connection, must be RSA keys. jwt_signing_key_pair requires the token_authentication_method private_key_jwt.',
);
export const discoveryMustUseHttps = bad(
  'discovery_endpoint_must_use_https',
  'discovery_endpoint must be a public https address.',
);
export const tokenMethodNotSupported = bad(
  'token_authentication_method_not_supported',
  'The identity provider does not support this token_authentication_method. Its discovery document lists the supported values.',
);
export const algorithmNotSupported = bad(
  'id_token_signature_algorithm_not_supported',
  'The identity provider does not sign ID tokens with this algorithm. Its discovery document lists the supported algorithms.',
);
export const notSaml = bad('connection_is_not_saml', 'Only SAML connections have these certificates.');
export const certificateExpired = bad('certificate_expired', 'The certificate has expired. Add a valid one.');
export const lastCertificate = bad(
  'cannot_delete_last_certificate',
  'This is the last certificate of the identity provider. Add the next one first.',
);

export const deletionInProgress = declareError({
  status: 409,
  code: 'connection_deletion_in_progress',
  message: 'The connection is being deleted. Retry in a moment.',
});
export const signingPairExists = declareError({
  status: 409,
  code: 'sp_signing_cert_already_exists',
  message: 'The connection has a key pair that signs requests already. Delete it first.',
});
export const tooManyEncryptionPairs = declareError({
  status: 409,
  code: 'too_many_sp_encryption_certs',
  message: 'The connection has five encryption certificates, which is the limit. Delete the oldest one first.',
});

const unusable = <const Code extends string>(code: Code, message: string) =>
  declareError({ status: 422, code, message });

export const metadataFetchFailed = unusable(
  'idp_metadata_fetch_failed',
  'The metadata of the identity provider could not be read from idp_metadata_url; the message of the response gives the reason. Check the URL, or send idp_entity_id, idp_sso_url and idp_signing_certs instead.',
);
export const notVerified = unusable(
  'connection_could_not_be_verified',
  'The identity provider does not describe itself at discovery_endpoint as OpenID Connect Discovery requires. Check the URL.',
);
export const invalidSsoUrl = unusable('invalid_idp_sso_url', 'idp_sso_url must be a public https address.');
export const typeNotUpdatable = unusable(
  'connection_type_not_updatable',
  'The type of a connection cannot be changed. Create another connection.',
);
export const certificateNotFound = notFound('certificate of this connection');

export const incomplete = declareError({
  status: 422,
  code: 'connection_incomplete',
  message:
    'The connection is missing options that a sign-in requires. Set them with PATCH /connections/{id}, and add certificates of the ' +
    'identity provider with POST /connections/{connectionId}/saml_idp_signing_certs.',
});
