import { describeRequest, readAssertion, type AssertionValues, type Expectations } from './assertion.ts';
import type { Check, CheckList, CheckName } from './checks.ts';
import { SAML, SUCCESS } from './names.ts';
import { findParts, type ResponseParts, type ResponseStatus } from './structure.ts';
import { Rejection, Verification, type ConnectionKeys } from './verification.ts';
import { readAttribute, childNamed, readText } from './xml.ts';

/** A verified assertion. */
export interface Assertion extends AssertionValues {
  readonly isEncrypted: boolean;
  /** The element whose signature was verified. */
  readonly signedPart: 'response' | 'assertion';
  /** The SHA-256 of the certificate whose key signed the response. */
  readonly certificateFingerprint: string;
}

/** The outcome of a verification: an assertion for the sign-in, or the first check that failed. */
export type ResponseOutcome =
  | { readonly isAccepted: true; readonly assertion: Assertion; readonly checks: readonly Check[] }
  | {
      readonly isAccepted: false;
      readonly reason: CheckName;
      /** A sentence for the administrator of the connection. */
      readonly detail: string;
      readonly checks: readonly Check[];
      /**
       * Values whose signature was verified although a later check failed. They sign no user in: they are shown to an
       * administrator.
       */
      readonly assertion?: Assertion;
      /** The status that the identity provider sent, if it is an error. It is not proven unless the response is signed. */
      readonly status?: ResponseStatus;
    };

/** The values that are known when a verification ends. */
interface Progress {
  assertion?: Assertion;
  status?: ResponseStatus;
}

const describeStatus = ({ code, subcode, message }: ResponseStatus): string =>
  code === ''
    ? 'The response has no status.'
    : `The identity provider reports ${[subcode ?? code, message].filter(Boolean).join(': ')}.`;

/**
 * Checks the values of the Response element. They are proven only if it is signed, but a wrong one always rejects the
 * response.
 */
function checkResponse({ root, status }: ResponseParts, expected: Expectations, checks: CheckList): void {
  const issuer = readText(childNamed(root, SAML, 'Issuer'));
  const destination = readAttribute(root, 'Destination');
  checks.add('status', status.code === SUCCESS ? undefined : describeStatus(status));
  checks.add(
    'issuer',
    issuer === undefined || issuer === expected.issuer
      ? undefined
      : `The issuer of the response is ${issuer}; expected is ${expected.issuer}.`,
  );
  checks.add('in_response_to', describeRequest('response', readAttribute(root, 'InResponseTo'), expected.requestId));
  if (destination === undefined) checks.skip('destination');
  else if (expected.acsUrls.includes(destination)) checks.pass('destination');
  else checks.fail('destination', `The destination is ${destination}; expected is ${expected.acsUrls.join(' or ')}.`);
}

/** Does all steps of the verification, and records each check. */
function verify(base64: string, verification: Verification, expected: Expectations, progress: Progress): void {
  const { checks } = verification;
  const document = verification.parse(base64);
  checks.pass('document');
  const parts = verification.need('structure', findParts(document.root));
  if (parts.status.code !== SUCCESS) {
    progress.status = parts.status;
    checks.pass('structure');
    checks.fail('status', describeStatus(parts.status));
    return;
  }
  const verified = verification.verifyParts(document, parts);
  checkResponse(verified.response ?? parts, expected, checks);
  progress.assertion = {
    ...readAssertion(verified.assertion, expected, checks),
    isEncrypted: parts.isEncrypted,
    signedPart: verified.signedPart,
    certificateFingerprint: verified.certificate.fingerprint,
  };
}

/**
 * Verifies the response of an identity provider (SAML 2.0, HTTP-POST binding): the form of the document, its signature with
 * the connection's certificates, then issuer, destination, recipient, audience, request and times. Every value is read from
 * the bytes that the signature covers. The caller checks whether the assertion was used before, by `assertionId` and
 * `notOnOrAfter`.
 * @param base64 the form field `SAMLResponse`, of at most 256 KiB decoded
 */
export function verifyResponse(base64: string, keys: ConnectionKeys, expected: Expectations): ResponseOutcome {
  const verification = new Verification(keys, expected.now);
  const progress: Progress = {};
  try {
    verify(base64, verification, expected, progress);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
  const checks = verification.checks.all();
  const failed = verification.checks.failed();
  const { assertion } = progress;
  if (failed === undefined && assertion !== undefined) return { isAccepted: true, assertion, checks };
  const { check, detail } = failed ?? { check: 'structure' };
  return { isAccepted: false, reason: check, detail: detail ?? '', checks, ...progress };
}
