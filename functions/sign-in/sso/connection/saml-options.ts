import {
  ENCRYPTION_PAIR,
  type KeyPair,
  parseCertificate,
  parseKeyPair,
  SIGNING_PAIR,
  storedCertificate,
  withCertificates,
} from './certificate.ts';
import { addressIssues, reject } from './reject.ts';
import type { SamlPart } from './entity.ts';
import { ambiguousSaml, incompleteSaml, invalidCertificate, invalidSsoUrl, keyPairNotAccepted } from './errors.ts';
import { readMetadata } from './metadata.ts';
import type { CreateConnectionBody } from './schema.ts';
import type { ConnectionSecrets } from './secrets.ts';

type Body = NonNullable<CreateConnectionBody['saml_options']>;

/** Checks the address of the identity provider's sign-in page. @throws Failure `invalid_idp_sso_url` */
function checkSsoUrl(url: string | undefined): void {
  if (url !== undefined && addressIssues({ url }).length > 0) throw reject(invalidSsoUrl);
}

/** Reads the SAML options of a new connection: fetches its metadata, and checks its certificates and keys. */
export async function samlOptions(body: Body): Promise<{ saml: SamlPart; secrets: ConnectionSecrets }> {
  const { idp_metadata_url: metadataUrl, idp_entity_id: entityId, idp_sso_url: ssoUrl } = body;
  const manual = [entityId, ssoUrl, body.idp_signing_certs].some((member) => member !== undefined);
  if (metadataUrl !== undefined && manual) throw reject(ambiguousSaml);
  const given = metadataUrl === undefined ? manualPart(body) : await readMetadata(metadataUrl);
  const pairs = keyPairs(body);
  return {
    saml: {
      ...given,
      acsUrl: body.acs_url,
      spEntityId: body.sp_entity_id,
      spSigning: pairs.signing && storedCertificate(SIGNING_PAIR, pairs.signing.certificate),
      spEncryption: pairs.encryption.map(({ stored }) => stored),
    },
    secrets: {
      spSigningKey: pairs.signing?.key,
      spEncryptionKeys: Object.fromEntries(pairs.encryption.map(({ stored, key }) => [stored.id, key])),
    },
  };
}

type IdpPart = Pick<SamlPart, 'idpMetadataUrl' | 'metadataEtag' | 'idpEntityId' | 'idpSsoUrl' | 'idpCertificates'>;

function manualPart({ idp_entity_id, idp_sso_url, idp_signing_certs = [] }: Body): IdpPart {
  // A response must have the expected issuer, so an identity provider without an entity id could not be used.
  const isComplete = idp_entity_id !== undefined && idp_sso_url !== undefined && idp_signing_certs.length > 0;
  if (!isComplete) throw reject(incompleteSaml);
  checkSsoUrl(idp_sso_url);
  const certificates = idp_signing_certs.map((text) => {
    const certificate = parseCertificate(text);
    if (certificate === undefined) throw reject(invalidCertificate);
    return certificate;
  });
  return {
    idpEntityId: idp_entity_id,
    idpSsoUrl: idp_sso_url,
    idpCertificates: withCertificates([], certificates),
  };
}

/** Parses a key pair of a request. @throws Failure */
export function keyPairIn(pair: { key: string; cert: string }): KeyPair {
  const parsed = parseKeyPair(pair);
  if (parsed === 'cert') throw reject(invalidCertificate);
  if (parsed === 'key') throw reject(keyPairNotAccepted);
  return parsed;
}

function keyPairs({ sp_signing_key_pair: signing, sp_encryption_key_pairs: encryption = [] }: Body) {
  return {
    signing: signing && keyPairIn(signing),
    encryption: encryption.map((pair) => {
      const { certificate, key } = keyPairIn(pair);
      if (certificate.keyType !== 'rsa') throw reject(keyPairNotAccepted);
      return { stored: storedCertificate(ENCRYPTION_PAIR, certificate), key };
    }),
  };
}
