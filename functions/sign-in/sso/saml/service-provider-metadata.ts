import {
  DATA_ENCRYPTION,
  DS,
  EMAIL_NAME_ID,
  KEY_ENCRYPTION,
  METADATA,
  POST_BINDING,
  SAMLP,
  UNSPECIFIED_NAME_ID,
} from './names.ts';
import { escapeXml } from './escape.ts';

/** The service provider of a connection, with the data of its metadata. */
export interface ServiceProvider {
  readonly entityId: string;
  readonly acsUrl: string;
  /** The certificate whose key signs requests, as DER in base64. */
  readonly signingCertificate?: string;
  /** The certificates for encryption, the preferred one first, as DER in base64. */
  readonly encryptionCertificates: readonly string[];
}

function keyDescriptor(use: 'signing' | 'encryption', certificate: string): string {
  const methods = [...Object.keys(DATA_ENCRYPTION), ...KEY_ENCRYPTION];
  return (
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${escapeXml(certificate)}` +
    `</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
    (use === 'signing' ? '' : methods.map((method) => `<md:EncryptionMethod Algorithm="${method}"/>`).join('')) +
    '</md:KeyDescriptor>'
  );
}

/** Writes the metadata of a service provider (SAML metadata, section 2.4.4). */
export function writeMetadata({
  entityId,
  acsUrl,
  signingCertificate,
  encryptionCertificates,
}: ServiceProvider): string {
  const keys = [
    ...(signingCertificate === undefined ? [] : [keyDescriptor('signing', signingCertificate)]),
    ...encryptionCertificates.map((certificate) => keyDescriptor('encryption', certificate)),
  ];
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<md:EntityDescriptor xmlns:md="${METADATA}" xmlns:ds="${DS}" entityID="${escapeXml(entityId)}">` +
    `<md:SPSSODescriptor AuthnRequestsSigned="${signingCertificate !== undefined}" WantAssertionsSigned="true" ` +
    `protocolSupportEnumeration="${SAMLP}">${keys.join('')}` +
    `<md:NameIDFormat>${EMAIL_NAME_ID}</md:NameIDFormat><md:NameIDFormat>${UNSPECIFIED_NAME_ID}</md:NameIDFormat>` +
    `<md:AssertionConsumerService Binding="${POST_BINDING}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>` +
    '</md:SPSSODescriptor></md:EntityDescriptor>\n'
  );
}
