import { clock } from '../../../kernel/clock.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import type { MetadataFault } from '../saml/identity-provider-metadata.ts';
import { parseCertificate, withCertificates } from './certificate.ts';
import { MAX_IDP_CERTIFICATES, type SamlPart } from './entity.ts';
import { metadataFetchFailed } from './errors.ts';
import { addressIssues, reject } from './reject.ts';

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 1_048_576;

/** The part of the SAML options that comes from the identity provider's metadata. */
export type IdpPart = Required<Pick<SamlPart, 'idpMetadataUrl' | 'idpEntityId' | 'idpSsoUrl' | 'idpCertificates'>> &
  Pick<SamlPart, 'metadataEtag'>;

/**
 * Fetches the metadata of an identity provider (SAML Metadata 2.0) through the egress guard.
 * @param former the ETag of the last read, and the entity that an aggregate must contain
 * @returns undefined if the metadata has not changed
 * @throws Failure `idp_metadata_fetch_failed`, which describes the error
 */
export async function fetchMetadata(
  url: string,
  former: Pick<SamlPart, 'metadataEtag' | 'idpEntityId'> = {},
): Promise<IdpPart | undefined> {
  if (addressIssues({ url }).length > 0)
    throw reject(metadataFetchFailed, 'idp_metadata_url must be a public https address.');
  const headers = former.metadataEtag === undefined ? {} : { 'if-none-match': former.metadataEtag };
  const response = await egress()
    .send({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: 3 })
    .catch((error: unknown) => {
      if (error instanceof EgressError) throw reject(metadataFetchFailed, `idp_metadata_url: ${error.message}`);
      throw error;
    });
  if (response.status === 304 && former.metadataEtag !== undefined) return undefined;
  if (response.status !== 200) {
    throw reject(metadataFetchFailed, `idp_metadata_url responded with the status ${response.status}.`);
  }
  const etag = response.headers.get('etag') ?? undefined;
  return {
    ...(await metadataIn(Buffer.from(response.body).toString('utf8'), former.idpEntityId)),
    idpMetadataUrl: url,
    metadataEtag: etag,
  };
}

/**
 * Fetches metadata from a new URL.
 * @throws Failure `idp_metadata_fetch_failed`
 */
export async function readMetadata(url: string): Promise<IdpPart> {
  const read = await fetchMetadata(url);
  if (read === undefined) throw reject(metadataFetchFailed);
  return read;
}

const FAULTS: Readonly<Record<MetadataFault, string>> = {
  metadata_too_large: 'The metadata is larger than 1 MiB.',
  metadata_malformed: 'The metadata is not well-formed XML in UTF-8, or its entity id has more than 1,024 characters.',
  metadata_has_doctype: 'The metadata has a document type definition.',
  metadata_expired: 'The metadata is past its validUntil.',
  no_identity_provider: 'The document has no SAML 2.0 identity provider.',
  several_identity_providers: 'The document has several identity providers. Use the address of a single one.',
  entity_not_found: 'The metadata no longer has the entity id of the connection.',
  no_redirect_binding: 'The identity provider has no sign-in address for the HTTP-Redirect binding.',
  no_signing_certificate: 'The identity provider has no signing certificate.',
  certificate_invalid: 'A certificate in the metadata cannot be read.',
};

/**
 * Reads the identity provider from metadata.
 * @param entityId the entity that it must contain; if absent, the only one
 * @throws Failure `idp_metadata_fetch_failed`, which describes the error
 */
export async function metadataIn(xml: string, entityId?: string) {
  const { xmlReader } = await import('../saml/apart.ts');
  const outcome = xmlReader.readMetadata(xml, clock.now(), entityId);
  if (!outcome.isRead) throw reject(metadataFetchFailed, FAULTS[outcome.fault]);
  const { identityProvider: found } = outcome;
  const certificates = found.signingCertificates.flatMap((text) => parseCertificate(text) ?? []);
  if (certificates.length === 0) throw reject(metadataFetchFailed, FAULTS.certificate_invalid);
  if (addressIssues({ url: found.ssoUrl }).length > 0) {
    throw reject(metadataFetchFailed, 'The metadata names a sign-in address that is not public https.');
  }
  return {
    idpEntityId: found.entityId,
    idpSsoUrl: found.ssoUrl,
    idpCertificates: withCertificates([], certificates.slice(0, MAX_IDP_CERTIFICATES)),
  };
}
