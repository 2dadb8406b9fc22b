import { readInstant } from './assertion.ts';
import { readCertificate } from './certificate.ts';
import { DS, METADATA, REDIRECT_BINDING, SAMLP } from './names.ts';
import { allElements, readAttribute, childElements, childrenNamed, MalformedXml, parseXml, readText } from './xml.ts';

/** Maximum characters of metadata: 1 MiB, since each character has at least one byte. */
const LARGEST_METADATA = 1_048_576;
/** Maximum characters of an entity id (SAML metadata, section 2.2.1) and of a URL, as for those that the API takes. */
const LONGEST_ENTITY_ID = 1_024;
const LONGEST_URL = 2_048;

/** An identity provider according to its metadata. */
export interface IdentityProvider {
  readonly entityId: string;
  /** The URL for the HTTP-Redirect binding. Only its form is checked, not whether it may be called. */
  readonly ssoUrl: string;
  /** The certificates in PEM, each once, including expired ones. */
  readonly signingCertificates: readonly string[];
  readonly wantsSignedRequests: boolean;
  readonly nameIdFormats: readonly string[];
  /** The time until which the metadata may be used, in milliseconds since the epoch. */
  readonly validUntil?: number;
}

/** The reasons for which metadata is rejected. */
export type MetadataFault =
  | 'metadata_too_large'
  | 'metadata_malformed'
  | 'metadata_has_doctype'
  | 'metadata_expired'
  | 'no_identity_provider'
  | 'several_identity_providers'
  | 'entity_not_found'
  | 'no_redirect_binding'
  | 'no_signing_certificate'
  | 'certificate_invalid';

/** The result of reading metadata: an identity provider, or the reason why there is none. */
export type MetadataOutcome =
  | { readonly isRead: true; readonly identityProvider: IdentityProvider }
  | { readonly isRead: false; readonly fault: MetadataFault };

const rejected = (fault: MetadataFault): MetadataOutcome => ({ isRead: false, fault });

/** The description of an entity's role as an identity provider for SAML 2.0. */
const findRole = (entity: Element): Element | undefined =>
  childrenNamed(entity, METADATA, 'IDPSSODescriptor').find((role) =>
    (readAttribute(role, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(SAMLP),
  );

/** The entities that a document describes: the root itself, or those of an aggregate at any depth. */
function entitiesIn(root: Element): readonly Element[] {
  if (root.namespaceURI !== METADATA) return [];
  if (root.localName === 'EntityDescriptor') return [root];
  return root.localName === 'EntitiesDescriptor' ? childElements(root).flatMap(entitiesIn) : [];
}

/** The earliest `validUntil` of an element and the elements around it. */
function readValidUntil(role: Element): number | undefined {
  const found: number[] = [];
  for (let element: Element | null = role; element !== null; element = findParent(element)) {
    const until = readInstant(readAttribute(element, 'validUntil'));
    if (until !== undefined) found.push(until);
  }
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The parent element, for which xmldom has no `parentElement`. */
const findParent = ({ parentNode }: Element): Element | null =>
  parentNode?.nodeType === 1 ? (parentNode as Element) : null;

/** The certificates of the keys that sign: those with `use="signing"`, and those without a use. */
function findCertificates(role: Element): readonly string[] {
  const keys = childrenNamed(role, METADATA, 'KeyDescriptor').filter(
    (key) => (readAttribute(key, 'use') ?? 'signing') === 'signing',
  );
  return keys
    .flatMap((key) => allElements(key))
    .filter(({ localName, namespaceURI }) => localName === 'X509Certificate' && namespaceURI === DS)
    .map((certificate) => readText(certificate) ?? '');
}

function findSsoUrl(role: Element): string | undefined {
  const services = childrenNamed(role, METADATA, 'SingleSignOnService');
  const service = services.find((one) => readAttribute(one, 'Binding') === REDIRECT_BINDING);
  const location = readAttribute(service, 'Location')?.trim();
  return location !== undefined && location.length <= LONGEST_URL && URL.canParse(location) ? location : undefined;
}

function readEntity(entity: Element, role: Element, now: number): MetadataOutcome {
  const entityId = readAttribute(entity, 'entityID') ?? '';
  if (entityId.length > LONGEST_ENTITY_ID) return rejected('metadata_malformed');
  const validUntil = readValidUntil(role);
  if (validUntil !== undefined && !(now < validUntil)) return rejected('metadata_expired');
  const ssoUrl = findSsoUrl(role);
  if (ssoUrl === undefined) return rejected('no_redirect_binding');
  const certificates = findCertificates(role).map(readCertificate);
  const readable = certificates.filter((certificate) => certificate !== undefined);
  if (certificates.length === 0) return rejected('no_signing_certificate');
  if (readable.length < certificates.length) return rejected('certificate_invalid');
  return {
    isRead: true,
    identityProvider: {
      entityId,
      ssoUrl,
      signingCertificates: [...new Set(readable.map(({ pem }) => pem))],
      wantsSignedRequests: /^(?:true|1)$/.test(readAttribute(role, 'WantAuthnRequestsSigned') ?? ''),
      nameIdFormats: childrenNamed(role, METADATA, 'NameIDFormat').map((format) => readText(format) ?? ''),
      ...(validUntil === undefined ? {} : { validUntil }),
    },
  };
}

/**
 * Reads the metadata of an identity provider (SAML metadata, section 2). Its signature is not verified: the metadata comes
 * from an administrator, or over TLS from a URL that an administrator gave.
 * @param entityId the one entity of an aggregate; without it, there must be only one identity provider
 * @param now the current time in milliseconds since the epoch, which is compared with `validUntil`
 */
export function readMetadata(xml: string, now: number, entityId?: string): MetadataOutcome {
  if (xml.length > LARGEST_METADATA) return rejected('metadata_too_large');
  let root: Element;
  try {
    ({ root } = parseXml(xml.replace(/^\uFEFF/, ''), LARGEST_METADATA));
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error;
    return rejected(error.reason === 'doctype' ? 'metadata_has_doctype' : 'metadata_malformed');
  }
  const providers = entitiesIn(root).flatMap((entity) => {
    const role = findRole(entity);
    return role === undefined ? [] : [{ entity, role }];
  });
  const named = providers.filter(
    ({ entity }) => entityId === undefined || readAttribute(entity, 'entityID') === entityId,
  );
  const [first, ...more] = named;
  if (first === undefined) return rejected(providers.length === 0 ? 'no_identity_provider' : 'entity_not_found');
  if (more.length > 0) return rejected('several_identity_providers');
  return readEntity(first.entity, first.role, now);
}
