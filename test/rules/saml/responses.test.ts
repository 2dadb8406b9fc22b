import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';

import { CHECKS } from '../../../functions/sign-in/sso/saml/checks.ts';
import {
  issueAround,
  issueAssertion,
  issueError,
  issueResponse,
  signCanonical,
} from '../../../functions/sign-in/sso/saml/issue.ts';
import { verifyResponse } from '../../../functions/sign-in/sso/saml/response.ts';
import { makeSelfSigned } from '../../../functions/sign-in/sso/saml/self-signed.ts';
import { replaced } from '../../support/saml/forgeries.ts';
import {
  EXPECTED,
  keyPair,
  makeKeyPair,
  NOW,
  responseValues,
  signedResponse,
  toBase64,
  verifyHere,
} from '../../support/saml/responses.ts';

const MINUTE = 60_000;
const TEN_YEARS_AGO = NOW - 11 * 365 * 86_400_000;

/** A response whose text is changed before the identity provider signs it. */
function changed(from: string | RegExp, to: string, values = {}): string {
  const all = responseValues(values);
  const plain = issueResponse({ ...all, signed: 'none' });
  // The assertion is last, so that a signature over the response covers the change.
  const xml = replaced(plain, from, to);
  return toBase64(signedAgain(xml));
}

const signedAgain = (xml: string): string => {
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  return xml.replace(assertion, () => sign(assertion));
};

const sign = (assertion: string): string => signCanonical(assertion, '_assertion', keyPair('idp'));

describe('a valid response', () => {
  test.each(['assertion', 'response', 'both'] as const)('is accepted with a signature of: %s', (signed) => {
    expect(verifyHere(signedResponse({ signed }))).toMatchObject({
      isAccepted: true,
      assertion: {
        assertionId: '_assertion',
        issuer: EXPECTED.issuer,
        nameId: 'ada@example.com',
        sessionIndex: '_assertion',
        authnInstant: NOW - 1000,
        issueInstant: NOW - 1000,
        signedPart: signed === 'assertion' ? 'assertion' : 'response',
        isEncrypted: false,
        attributes: [
          { name: 'email', values: ['ada@example.com'] },
          { name: 'firstName', values: ['Ada'] },
          { name: 'groups', values: ['engineers', 'owners'] },
        ],
      },
    });
  });

  test('is rejected if the response is signed but the signature of its assertion is invalid', () => {
    const values = responseValues({ signed: 'response' });
    const assertion = replaced(
      issueAssertion({ ...values, signed: 'assertion' }),
      '>ada@example.com<',
      '>eve@example.com<',
    );
    expect(verifyHere(toBase64(issueAround(assertion, values)))).toMatchObject({
      isAccepted: false,
      reason: 'signature',
    });
  });

  test('passes every check, in the expected order', () => {
    const { checks } = verifyHere(signedResponse());
    expect(checks.map(({ check }) => check)).toEqual([...CHECKS]);
    expect(checks.filter(({ outcome }) => outcome !== 'passed').map(({ check }) => check)).toEqual(['decryption']);
  });

  test('may name any of the addresses and audiences that the connection accepts', () => {
    const own = {
      acsUrls: ['https://old.example/acs', ...EXPECTED.acsUrls],
      audiences: ['urn:old', ...EXPECTED.audiences],
    };
    expect(verifyHere(signedResponse({ acsUrl: 'https://old.example/acs', audience: 'urn:old' }), own).isAccepted).toBe(
      true,
    );
    expect(verifyHere(signedResponse(), own).isAccepted).toBe(true);
  });

  test('is accepted as unsolicited only if it names no request', () => {
    const { requestId: _, ...values } = responseValues();
    const unsolicited = toBase64(issueResponse(values));
    expect(verifyHere(unsolicited, { requestId: undefined }).isAccepted).toBe(true);
    expect(verifyHere(signedResponse(), { requestId: undefined })).toMatchObject({ reason: 'in_response_to' });
    expect(verifyHere(unsolicited)).toMatchObject({ reason: 'in_response_to' });
  });
});

/** Responses that fail a check, each with that check and a word of the sentence for the administrator. */
const MISFITS: readonly (readonly [string, () => string, string, string])[] = [
  [
    'another audience',
    () => signedResponse({ audience: 'https://other.example' }),
    'audience',
    'https://other.example',
  ],
  [
    'no audience',
    () => changed(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/s, ''),
    'audience',
    'AudienceRestriction',
  ],
  [
    'a second AudienceRestriction that does not name the service',
    () =>
      changed(
        '</saml:Conditions>',
        '<saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
      ),
    'audience',
    'urn:x',
  ],
  [
    'an audience that only begins like ours',
    () => signedResponse({ audience: `${EXPECTED.audiences[0]}/x` }),
    'audience',
    '/x',
  ],
  [
    'another recipient',
    () => changed('Recipient="https://api.example.com', 'Recipient="https://other.example'),
    'recipient',
    'other.example',
  ],
  ['no recipient', () => changed(/ Recipient="[^"]*"/, ''), 'recipient', 'absent'],
  [
    'another destination',
    () =>
      toBase64(
        replaced(issueResponse(responseValues()), /Destination="[^"]*"/, 'Destination="https://other.example/acs"'),
      ),
    'destination',
    'other.example',
  ],
  ['another issuer', () => signedResponse({ issuer: 'https://evil.example' }), 'issuer', 'https://evil.example'],
  [
    'another issuer of the response only',
    () => toBase64(replaced(issueResponse(responseValues()), `>${EXPECTED.issuer}<`, '>https://evil.example<')),
    'issuer',
    'issuer of the response',
  ],
  ['another request', () => signedResponse({ requestId: '_other' }), 'in_response_to', 'another request'],
  [
    'another request in the response only',
    () => toBase64(replaced(issueResponse(responseValues()), ' InResponseTo="_request"', ' InResponseTo="_other"')),
    'in_response_to',
    'response names another',
  ],
  [
    'no request in the assertion',
    () => changed('<saml:SubjectConfirmationData InResponseTo="_request"', '<saml:SubjectConfirmationData'),
    'in_response_to',
    'names no request',
  ],
  ['an end in the past', () => signedResponse({ now: NOW - 8 * MINUTE }), 'time', 'ended at'],
  ['an issue in the future', () => signedResponse({ now: NOW + 4 * MINUTE }), 'time', 'begins at'],
  ['no end of the confirmation', () => changed(/ NotOnOrAfter="[^"]*" Recipient/, ' Recipient'), 'time', 'missing'],
  [
    'an end that is no time',
    () => changed(/ NotOnOrAfter="[^"]*" Recipient/, ' NotOnOrAfter="never" Recipient'),
    'time',
    'missing or no time',
  ],
  [
    'a begin of the confirmation',
    () => changed('_request" NotOnOrAfter', '_request" NotBefore="2026-01-01T00:00:00Z" NotOnOrAfter'),
    'time',
    'NotBefore',
  ],
  ['an issue more than an hour ago, whatever its end', () => longLived(), 'time', 'ended at'],
  ['no bearer confirmation', () => changed('cm:bearer', 'cm:holder-of-key'), 'confirmation', 'bearer'],
  ['no NameID', () => changed(/<saml:NameID .*<\/saml:NameID>/s, ''), 'subject', 'NameID'],
  [
    'no AuthnStatement',
    () => changed(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/s, ''),
    'subject',
    'AuthnStatement',
  ],
  ['an empty NameID', () => signedResponse({ nameId: ' ' }), 'subject', 'NameID'],
  [
    'two subjects',
    () => changed('<saml:Conditions', '<saml:Subject></saml:Subject><saml:Conditions'),
    'structure',
    'Subject',
  ],
  ['SAML 1.1', () => changed('Version="2.0"', 'Version="1.1"'), 'structure', 'version'],
];

const longLived = (): string => {
  const values = responseValues({ now: NOW - 63 * MINUTE });
  const plain = issueResponse({ ...values, signed: 'none' }).replace(
    / NotOnOrAfter="[^"]*"/g,
    ' NotOnOrAfter="2036-01-01T00:00:00Z"',
  );
  return toBase64(signedAgain(plain));
};

describe('a genuine response', () => {
  test.each(MISFITS)('is rejected with %s', (_, make, reason, word) => {
    expect(verifyHere(make())).toMatchObject({ isAccepted: false, reason, detail: expect.stringContaining(word) });
  });

  test('lists every failed check, and its verified values for an administrator’s view', () => {
    const outcome = verifyHere(signedResponse({ audience: 'urn:x', requestId: '_other', now: NOW - 60 * MINUTE }));
    expect(outcome).toMatchObject({ isAccepted: false, assertion: { nameId: 'ada@example.com' } });
    const failed = outcome.checks.filter(({ outcome: result }) => result === 'failed').map(({ check }) => check);
    expect(failed).toEqual(['in_response_to', 'audience', 'time']);
  });

  test.each([
    [-2 * MINUTE + 1000, true],
    [-2 * MINUTE - 31_000, false],
    [7 * MINUTE - 2000, true],
    [7 * MINUTE, false],
  ])('is accepted %d ms after its issue: %s (two minutes of clock skew)', (after, isAccepted) => {
    expect(verifyHere(signedResponse(), { now: NOW - 1000 + after }).isAccepted).toBe(isAccepted);
  });

  test('is rejected once it is older than the caller accepts', () => {
    const old = signedResponse({ now: NOW - 4 * MINUTE });
    expect(verifyHere(old, { maximumAge: 4 * MINUTE + 1 }).isAccepted).toBe(true);
    expect(verifyHere(old, { maximumAge: 4 * MINUTE })).toMatchObject({ reason: 'time' });
  });

  test.each([true, false])('that reports an error is rejected with its status, signed: %s', (isSigned) => {
    const values = responseValues({ signed: isSigned ? 'assertion' : 'none' });
    const xml = issueError(values, 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed', 'No.');
    expect(verifyHere(toBase64(xml))).toMatchObject({
      isAccepted: false,
      reason: 'status',
      status: { subcode: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed', message: 'No.' },
    });
  });

  test('is rejected if it contains an assertion although its status is not success', () => {
    const xml = replaced(issueResponse(responseValues()), 'status:Success', 'status:Responder');
    expect(verifyHere(toBase64(xml))).toMatchObject({ isAccepted: false, reason: 'status' });
  });
});

describe('the certificates of a connection', () => {
  const idp = keyPair('idp');
  const verifyWith = (certificates: readonly string[]): unknown =>
    verifyResponse(signedResponse(), { certificates, decryptionKeys: [] }, EXPECTED);

  test.each([
    ['none', []],
    ['an empty text', ['']],
    ['a text that is no certificate', ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']],
    ['only an expired one', [makeKeyPair('idp', TEN_YEARS_AGO).certificate]],
  ])('reject every response if there is: %s', (_, certificates) => {
    expect(verifyWith(certificates)).toMatchObject({ isAccepted: false, reason: 'certificates' });
  });

  test('do not verify with the key of an expired certificate, although the signature is correct', () => {
    const certificate = makeSelfSigned({
      privateKey: idp.privateKey,
      name: 'idp',
      serial: Buffer.alloc(16, 1),
      now: TEN_YEARS_AGO,
    });
    expect(verifyWith([certificate])).toMatchObject({ reason: 'certificates' });
    expect(verifyWith([certificate, idp.certificate])).toMatchObject({ isAccepted: true });
  });

  test('do not verify with RSA keys of fewer than 1,024 bits', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 768,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const certificate = makeSelfSigned({ privateKey, name: 'short', serial: Buffer.alloc(16, 1), now: NOW });
    expect(
      verifyResponse(signedResponse({ privateKey }), { certificates: [certificate], decryptionKeys: [] }, EXPECTED),
    ).toMatchObject({ reason: 'certificates' });
  });

  test('are all tried, and the outcome names the one that verified the signature', () => {
    const outcome = verifyWith([keyPair('other').certificate, idp.certificate.replace(/-----[^-]+-----|\s/g, '')]);
    expect(outcome).toMatchObject({
      isAccepted: true,
      assertion: { certificateFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('are compared with the certificate in the response, so that the error can name a wrong certificate', () => {
    const other = keyPair('other');
    expect(verifyHere(signedResponse(other))).toMatchObject({
      reason: 'signature',
      detail: expect.stringContaining('which the connection does not have'),
    });
  });
});
