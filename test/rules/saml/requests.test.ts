import { describe, expect, test } from '@jest/globals';
import { verify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { SAML, SAMLP } from '../../../functions/sign-in/sso/saml/names.ts';
import { buildRedirect, writeAuthnRequest, type AuthnRequest } from '../../../functions/sign-in/sso/saml/request.ts';
import { writeMetadata } from '../../../functions/sign-in/sso/saml/service-provider-metadata.ts';
import { readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { parseXml } from '../../../functions/sign-in/sso/saml/xml.ts';
import { keyPair, NOW } from '../../support/saml/responses.ts';

const REQUEST: AuthnRequest = {
  id: '_request',
  now: NOW,
  ssoUrl: 'https://idp.example.com/sso?tenant=a%20b&x=1#fragment',
  acsUrl: 'https://api.example.com/sso/saml/acs/key',
  spEntityId: 'https://api.example.com/sso/saml/metadata/key',
  relayState: 'state & more',
};

const messageIn = (address: string): Element => {
  const message = new URL(address).searchParams.get('SAMLRequest') ?? '';
  return parseXml(inflateRawSync(Buffer.from(message, 'base64')).toString(), 10_000).root;
};

describe('an AuthnRequest', () => {
  test('contains its id, its destination and the address for the response', () => {
    const root = messageIn(buildRedirect(REQUEST));
    expect(root.namespaceURI).toBe(SAMLP);
    expect(Object.fromEntries(Array.from(root.attributes).map(({ name, value }) => [name, value]))).toMatchObject({
      ID: '_request',
      Version: '2.0',
      IssueInstant: '2026-11-22T12:00:00.000Z',
      Destination: REQUEST.ssoUrl,
      AssertionConsumerServiceURL: REQUEST.acsUrl,
      ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    });
    expect(root.hasAttribute('ForceAuthn')).toBe(false);
    expect(root.getElementsByTagNameNS(SAML, 'Issuer')[0]?.textContent).toBe(REQUEST.spEntityId);
    expect(root.getElementsByTagNameNS(SAML, 'Subject')).toHaveLength(0);
  });

  test('keeps the query of the provider’s address and adds its parameters', () => {
    const url = new URL(buildRedirect({ ...REQUEST, parameters: { login_hint: 'a+b@example.com' } }));
    expect(
      url.href.startsWith('https://idp.example.com/sso?tenant=a%20b&x=1&login_hint=a%2Bb%40example.com&SAMLRequest='),
    ).toBe(true);
    expect(url.searchParams.get('RelayState')).toBe('state & more');
    expect(url.searchParams.has('Signature')).toBe(false);
    expect(url.hash).toBe('');
  });

  test('can require a new authentication and name the user', () => {
    const subject = 'a"b<c>&\u{1F511}@example.com';
    const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    const root = messageIn(buildRedirect({ ...REQUEST, forceAuthn: true, subject, nameIdFormat: format }));
    expect(root.getAttribute('ForceAuthn')).toBe('true');
    expect(root.getElementsByTagNameNS(SAML, 'NameID')[0]?.textContent).toBe(subject);
    expect(root.getElementsByTagNameNS(SAMLP, 'NameIDPolicy')[0]?.getAttribute('Format')).toBe(format);
  });

  test('is signed over the query string as it is sent, with the key of the service provider', () => {
    const { privateKey, certificate } = keyPair('sp');
    const query =
      buildRedirect({ ...REQUEST, signingKey: privateKey, parameters: { hd: 'example.com' } }).split('?')[1] ?? '';
    const [, signed = '', signature = ''] = /(SAMLRequest=.*)&Signature=(.*)$/.exec(query) ?? [];
    expect(signed).toMatch(
      /^SAMLRequest=[^&]+&RelayState=[^&]+&SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha256$/,
    );
    expect(
      verify('sha256', Buffer.from(signed), certificate, Buffer.from(decodeURIComponent(signature), 'base64')),
    ).toBe(true);
  });

  test('cannot get additional elements through its values', () => {
    const evil = '"/><saml:Issuer>evil</saml:Issuer><x y="';
    const xml = writeAuthnRequest({
      ...REQUEST,
      id: evil,
      ssoUrl: evil,
      acsUrl: evil,
      spEntityId: evil,
      subject: evil,
      nameIdFormat: evil,
    });
    const { root } = parseXml(xml, 10_000);
    expect(root.getElementsByTagNameNS(SAML, 'Issuer')).toHaveLength(1);
    expect(root.getAttribute('Destination')).toBe(evil);
  });
});

describe('the metadata of the service provider', () => {
  const { certificate } = keyPair('sp');
  const base64 = readCertificate(certificate)?.base64 ?? '';
  const provider = { entityId: 'urn:a"b', acsUrl: 'https://api.example.com/acs?a=1&b=2', encryptionCertificates: [] };

  test('contains entity id and address, and requires signed assertions', () => {
    const { root } = parseXml(writeMetadata(provider), 20_000);
    expect(root.getAttribute('entityID')).toBe('urn:a"b');
    const [service] = Array.from(root.getElementsByTagName('md:AssertionConsumerService'));
    expect(service?.getAttribute('Location')).toBe('https://api.example.com/acs?a=1&b=2');
    const [role] = Array.from(root.getElementsByTagName('md:SPSSODescriptor'));
    expect(role?.getAttribute('WantAssertionsSigned')).toBe('true');
    expect(role?.getAttribute('AuthnRequestsSigned')).toBe('false');
    expect(root.getElementsByTagName('md:KeyDescriptor')).toHaveLength(0);
  });

  test('contains the signing certificate, and the encryption certificates in order with the accepted methods', () => {
    const keys = { signingCertificate: base64, encryptionCertificates: ['AAAA', base64] };
    const { root } = parseXml(writeMetadata({ ...provider, ...keys }), 20_000);
    const descriptors = Array.from(root.getElementsByTagName('md:KeyDescriptor'));
    expect(descriptors.map((key) => [key.getAttribute('use'), key.textContent])).toEqual([
      ['signing', base64],
      ['encryption', 'AAAA'],
      ['encryption', base64],
    ]);
    const methods = Array.from(descriptors[1]?.getElementsByTagName('md:EncryptionMethod') ?? []).map((one) =>
      one.getAttribute('Algorithm'),
    );
    expect(methods[0]).toBe('http://www.w3.org/2009/xmlenc11#aes256-gcm');
    expect(methods.join(' ')).not.toMatch(/tripledes|rsa-1_5/);
    expect(root.getElementsByTagName('md:SPSSODescriptor')[0]?.getAttribute('AuthnRequestsSigned')).toBe('true');
  });
});
