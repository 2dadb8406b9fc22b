import { describe, expect, test } from '@jest/globals';

import { metadataIn } from '../../../functions/sign-in/sso/connection/metadata.ts';
import { readMetadata } from '../../../functions/sign-in/sso/saml/identity-provider-metadata.ts';
import { DS, METADATA, POST_BINDING, REDIRECT_BINDING, SAMLP } from '../../../functions/sign-in/sso/saml/names.ts';
import { writeMetadata } from '../../../functions/sign-in/sso/saml/service-provider-metadata.ts';
import { keyPair, NOW } from '../../support/saml/responses.ts';

const der = (party: string): string => keyPair(party).certificate.replace(/-----[^-]+-----|\s/g, '');

interface Description {
  readonly entityId?: string;
  readonly attributes?: string;
  readonly keys?: string;
  readonly services?: string;
}

const key = (certificate: string, use = ' use="signing"'): string =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>\n${certificate}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

const service = (binding: string, location: string): string =>
  `<md:SingleSignOnService Binding="${binding}" Location="${location}"/>`;

const entity = ({
  entityId = 'https://idp.example.com',
  attributes = '',
  keys = key(der('idp')),
  services,
}: Description = {}): string =>
  `<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${entityId}"${attributes}>` +
  `<md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:x ${SAMLP}">${keys}` +
  `<md:NameIDFormat>urn:a</md:NameIDFormat>` +
  (services ??
    service(POST_BINDING, 'https://idp.example.com/post') +
      service(REDIRECT_BINDING, 'https://idp.example.com/sso?a=1&amp;b=2')) +
  '</md:IDPSSODescriptor></md:EntityDescriptor>';

const aggregate = (...entities: readonly string[]): string =>
  `<md:EntitiesDescriptor xmlns:md="${METADATA}"><md:EntitiesDescriptor>${entities.join('')}</md:EntitiesDescriptor></md:EntitiesDescriptor>`;

describe('the metadata of an identity provider', () => {
  test('is parsed to its address, its certificates and the features that it requests', () => {
    const keys = key(der('idp')) + key(der('second'), '') + key(der('idp')) + key(der('other'), ' use="encryption"');
    expect(readMetadata(`\uFEFF<?xml version="1.0"?>\n<!-- a -->${entity({ keys })}`, NOW)).toEqual({
      isRead: true,
      identityProvider: {
        entityId: 'https://idp.example.com',
        ssoUrl: 'https://idp.example.com/sso?a=1&b=2',
        signingCertificates: [keyPair('idp').certificate, keyPair('second').certificate],
        wantsSignedRequests: true,
        nameIdFormats: ['urn:a'],
      },
    });
  });

  test('within an aggregate is that of the one named entity', () => {
    const xml = aggregate(entity({ entityId: 'urn:a' }), entity({ entityId: 'urn:b' }));
    expect(readMetadata(xml, NOW, 'urn:b')).toMatchObject({ identityProvider: { entityId: 'urn:b' } });
    expect(readMetadata(xml, NOW)).toEqual({ isRead: false, fault: 'several_identity_providers' });
    expect(readMetadata(xml, NOW, 'urn:c')).toEqual({ isRead: false, fault: 'entity_not_found' });
    expect(readMetadata(aggregate(entity({ entityId: 'urn:a' })), NOW)).toMatchObject({ isRead: true });
  });

  test('is valid until the earliest validUntil in the elements around it', () => {
    const until = (time: number): string => ` validUntil="${new Date(time).toISOString()}"`;
    expect(readMetadata(entity({ attributes: until(NOW + 1) }), NOW)).toMatchObject({
      identityProvider: { validUntil: NOW + 1 },
    });
    expect(readMetadata(entity({ attributes: until(NOW) }), NOW)).toEqual({ isRead: false, fault: 'metadata_expired' });
    const around = aggregate(entity({ attributes: until(NOW + 1) })).replace(
      '<md:EntitiesDescriptor>',
      `<md:EntitiesDescriptor${until(NOW - 1)}>`,
    );
    expect(readMetadata(around, NOW)).toEqual({ isRead: false, fault: 'metadata_expired' });
    expect(readMetadata(entity({ attributes: ' validUntil="soon"' }), NOW)).toEqual({
      isRead: false,
      fault: 'metadata_expired',
    });
  });

  test.each([
    ['metadata_has_doctype', `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${entity()}`],
    ['metadata_too_large', entity() + ' '.repeat(1_048_576)],
    ['metadata_malformed', entity().slice(0, -1)],
    ['metadata_malformed', '<html><body>Sign in</body>'],
    ['metadata_malformed', ''],
    ['metadata_malformed', entity({ attributes: ` a="${'&#x41;'.repeat(80_000)}"` })],
    ['metadata_malformed', entity().replace('</', `${'&#x41;'.repeat(80_000)}</`)],
    ['metadata_malformed', entity({ entityId: 'urn:a'.padEnd(1_025, 'a') })],
    [
      'no_redirect_binding',
      entity({ services: service(REDIRECT_BINDING, `https://idp.example.com/${'a'.repeat(2_030)}`) }),
    ],
    ['no_identity_provider', '<html></html>'],
    ['no_identity_provider', writeMetadata({ entityId: 'a', acsUrl: 'https://a.example', encryptionCertificates: [] })],
    ['no_identity_provider', entity().replaceAll(SAMLP, 'urn:oasis:names:tc:SAML:1.1:protocol')],
    ['no_redirect_binding', entity({ services: service(POST_BINDING, 'https://idp.example.com/post') })],
    ['no_redirect_binding', entity({ services: service(REDIRECT_BINDING, 'sso') })],
    ['no_signing_certificate', entity({ keys: '' })],
    ['no_signing_certificate', entity({ keys: key(der('idp'), ' use="encryption"') })],
    ['certificate_invalid', entity({ keys: key(der('idp')) + key('AAAA') })],
  ])('is rejected with %s', (fault, xml) => {
    expect(readMetadata(xml, NOW)).toEqual({ isRead: false, fault });
  });

  test.each([
    'http://idp.example.com/sso',
    'https://10.0.0.1/sso',
    'https://[::1]/sso',
    'https://u:p@idp.example.com/',
  ])('is rejected with the sign-in address %s, which no deployment accepts unless it allows it', async (address) => {
    const read = metadataIn(entity({ services: service(REDIRECT_BINDING, address) }));
    await expect(read).rejects.toMatchObject({ declared: { code: 'idp_metadata_fetch_failed' } });
    expect((await metadataIn(entity())).idpSsoUrl).toBe('https://idp.example.com/sso?a=1&b=2');
  });
});
