import { describe, expect, test } from '@jest/globals';

import { readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { DS } from '../../../functions/sign-in/sso/saml/names.ts';
import { verifySignature } from '../../../functions/sign-in/sso/saml/signature.ts';
import { issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { forgeries } from '../../support/saml/forgeries.ts';
import { readNaively } from '../../support/saml/naive-reader.ts';
import { keyPair, responseValues, toBase64, verifyHere } from '../../support/saml/responses.ts';
import { parse } from '../../support/saml/tree.ts';
import { wrapped } from '../../support/saml/wrapping.ts';

const { certificate } = keyPair('idp');
const wrappings = wrapped(
  issueResponse(responseValues({ signed: 'response' })),
  issueResponse(responseValues({ signed: 'assertion' })),
);

describe('signature wrapping', () => {
  test.each(wrappings)('%s: is rejected, although a naive reader accepts it', (_, xml) => {
    expect(verifyHere(toBase64(xml))).toMatchObject({
      isAccepted: false,
      reason: expect.stringMatching(/^(?:structure|signature)$/),
    });
    expect(readNaively(xml, certificate)).toContain('mallory@evil.example');
  });

  test.each(wrappings)(
    '%s: is only detected by the check of the structure, since the signed bytes are genuine',
    (_, xml) => {
      const signatures = Array.from(parse(xml).getElementsByTagNameNS(DS, 'Signature'));
      const certificates = [readCertificate(certificate)].filter((one) => one !== undefined);
      const bytes = signatures.map((signature) => verifySignature(xml, signature, certificates)?.text ?? '');
      expect(signatures).not.toHaveLength(0);
      expect(bytes.join('')).not.toContain('mallory');
    },
  );
});

const all = forgeries();

describe('forged responses', () => {
  test.each(all.map((forgery) => [forgery.name, forgery] as const))('%s: is rejected', (_, { xml, reason }) => {
    const outcome = verifyHere(toBase64(xml));
    expect(outcome).toMatchObject({ isAccepted: false, reason });
    // A rejected signature leaves nothing that could be displayed as proven.
    expect(outcome).not.toHaveProperty('assertion');
  });

  test.each(all.map((forgery) => [forgery.name, forgery] as const))(
    '%s: deceives a naive reader if that is expected, which proves that it is a real attack',
    (_, { xml, deceives }) => {
      expect(readNaively(xml, certificate).includes('mallory@evil.example')).toBe(deceives);
    },
  );

  test('a naive reader accepts a genuine response', () => {
    expect(readNaively(issueResponse(responseValues()), certificate)).toContain('ada@example.com');
  });
});
