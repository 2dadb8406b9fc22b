import type { CheckList } from './checks.ts';
import { BEARER, SAML, UNSPECIFIED_NAME_ID } from './names.ts';
import { readAttribute, childNamed, childrenNamed, readText } from './xml.ts';

/** An attribute as the identity provider sent it. Attributes with the same name are joined to one. */
export interface SamlAttribute {
  readonly name: string;
  readonly friendlyName?: string;
  readonly values: readonly string[];
}

/** The values of a verified assertion; times are milliseconds since the epoch. */
export interface AssertionValues {
  readonly assertionId: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly sessionIndex?: string;
  readonly attributes: readonly SamlAttribute[];
  readonly issueInstant: number;
  readonly authnInstant?: number;
  readonly authnContext?: string;
  /** The end of the session at the identity provider. */
  readonly sessionNotOnOrAfter?: number;
  /**
   * The time from which the assertion is rejected: the earliest of its ends and an hour after its issue, with the clock
   * skew.
   */
  readonly notOnOrAfter: number;
}

/** Expectations of the service provider that a response must meet. */
export interface Expectations {
  /** The entity ID of the identity provider. */
  readonly issuer: string;
  /** URLs that Destination and Recipient may contain. */
  readonly acsUrls: readonly string[];
  /** Entity IDs of the service provider, one of which the audience must contain. */
  readonly audiences: readonly string[];
  /** The ID of the AuthnRequest; undefined for an unsolicited response, which then must not name a request. */
  readonly requestId: string | undefined;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /**
   * Time in milliseconds after its issue from which an assertion is rejected by the clock of the service; by default an hour and
   * the difference of clocks.
   */
  readonly maximumAge?: number;
}

/** Allowed difference in ms between the clocks of identity provider and service (two minutes). */
const CLOCK_SKEW = 120_000;

/** Maximum time in ms (an hour) for which an assertion is accepted after its issue, whatever validity it states. */
const LONGEST_VALIDITY = 3_600_000;

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$/;

/** Parses an `xs:dateTime`; without a zone it is UTC (SAML core, section 1.3.3). Returns NaN for an invalid one. */
export function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, time, zone = 'Z'] = INSTANT.exec(text.trim()) ?? [];
  return time === undefined ? Number.NaN : Date.parse(time + zone);
}

const show = (instant: number): string => (Number.isNaN(instant) ? 'no time' : new Date(instant).toISOString());

/** The attributes of all statements. Attributes with the same name are joined, and values keep their order. */
function readAttributes(assertion: Element): readonly SamlAttribute[] {
  const found = new Map<string, { name: string; friendlyName?: string; values: string[] }>();
  const statements = childrenNamed(assertion, SAML, 'AttributeStatement');
  for (const attribute of statements.flatMap((statement) => childrenNamed(statement, SAML, 'Attribute'))) {
    const name = readAttribute(attribute, 'Name')?.trim() ?? '';
    const friendlyName = readAttribute(attribute, 'FriendlyName')?.trim();
    const values = childrenNamed(attribute, SAML, 'AttributeValue')
      .map((value) => readText(value) ?? '')
      .filter((value) => value !== '');
    const known = found.get(name);
    if (known === undefined) found.set(name, { name, ...(friendlyName ? { friendlyName } : {}), values });
    else known.values.push(...values);
  }
  return [...found.values()];
}

/** The first bearer confirmation that matches the request, otherwise the first one. */
function findConfirmation(assertion: Element, { acsUrls, requestId }: Expectations): Element | undefined {
  const subject = childNamed(assertion, SAML, 'Subject');
  const data = (subject === undefined ? [] : childrenNamed(subject, SAML, 'SubjectConfirmation'))
    .filter((confirmation) => readAttribute(confirmation, 'Method') === BEARER)
    .flatMap((confirmation) => childrenNamed(confirmation, SAML, 'SubjectConfirmationData'));
  const fits = (one: Element): boolean =>
    acsUrls.includes(readAttribute(one, 'Recipient') ?? '') && readAttribute(one, 'InResponseTo') === requestId;
  return data.find(fits) ?? data[0];
}

/** Checks that the subject has a name, and that the assertion states an authentication. */
function checkSubject(assertion: Element, nameId: Element | undefined): string | undefined {
  if (!readText(nameId)) return 'The subject has no NameID. An encrypted ID is not supported.';
  return childNamed(assertion, SAML, 'AuthnStatement') === undefined
    ? 'The assertion has no AuthnStatement: it does not say that the person was authenticated.'
    : undefined;
}

function checkAudience(assertion: Element, { audiences }: Expectations): string | undefined {
  const conditions = childNamed(assertion, SAML, 'Conditions');
  const restrictions = conditions === undefined ? [] : childrenNamed(conditions, SAML, 'AudienceRestriction');
  const named = restrictions.map((restriction) =>
    childrenNamed(restriction, SAML, 'Audience').map((audience) => readText(audience) ?? ''),
  );
  if (named.length === 0) return 'The assertion has no AudienceRestriction: it is not limited to this service.';
  return named.every((names) => names.some((name) => audiences.includes(name)))
    ? undefined
    : `The audience is ${named.flat().join(', ')}; expected is ${audiences.join(' or ')}.`;
}

/** Checks all times, and describes the first one that is wrong. */
function checkTimes(
  assertion: Element,
  confirmation: Element | undefined,
  { now, maximumAge = Infinity }: Expectations,
): { fault: string | undefined; notOnOrAfter: number; issueInstant: number } {
  const conditions = childNamed(assertion, SAML, 'Conditions');
  const issueInstant = readInstant(readAttribute(assertion, 'IssueInstant')) ?? Number.NaN;
  const begins = [issueInstant, readInstant(readAttribute(conditions, 'NotBefore'))].filter((at) => at !== undefined);
  const ends = [
    readInstant(readAttribute(confirmation, 'NotOnOrAfter')) ?? Number.NaN,
    readInstant(readAttribute(conditions, 'NotOnOrAfter')),
    issueInstant + LONGEST_VALIDITY,
  ].filter((at) => at !== undefined);
  const stated = Math.min(...ends);
  const notOnOrAfter = Math.min(stated + CLOCK_SKEW, issueInstant + maximumAge);
  const begin = Math.max(...begins);
  const at = `The time here is ${show(now)}`;
  let fault: string | undefined;
  if (Number.isNaN(notOnOrAfter) || Number.isNaN(begin)) {
    fault = 'IssueInstant, NotBefore or NotOnOrAfter is missing or no time.';
  } else if (readAttribute(confirmation, 'NotBefore') !== undefined) {
    fault = 'The confirmation has a NotBefore, which a bearer confirmation must not have.';
  } else if (now >= notOnOrAfter) {
    fault = `${at}; the assertion ended at ${show(Math.min(stated, notOnOrAfter))}.`;
  } else if (now < begin - CLOCK_SKEW) {
    fault = `${at}; the assertion begins at ${show(begin)}. Compare the clock of the identity provider.`;
  }
  return { fault, notOnOrAfter, issueInstant };
}

function readAuthentication(
  assertion: Element,
): Pick<AssertionValues, 'sessionIndex' | 'authnInstant' | 'authnContext' | 'sessionNotOnOrAfter'> {
  const statement = childNamed(assertion, SAML, 'AuthnStatement');
  const context = childNamed(childNamed(statement, SAML, 'AuthnContext'), SAML, 'AuthnContextClassRef');
  const sessionIndex = readAttribute(statement, 'SessionIndex');
  const authnContext = readText(context);
  const authnInstant = readInstant(readAttribute(statement, 'AuthnInstant'));
  const sessionNotOnOrAfter = readInstant(readAttribute(statement, 'SessionNotOnOrAfter'));
  return {
    ...(sessionIndex ? { sessionIndex } : {}),
    ...(authnContext ? { authnContext } : {}),
    ...(authnInstant !== undefined && !Number.isNaN(authnInstant) ? { authnInstant } : {}),
    ...(sessionNotOnOrAfter !== undefined && !Number.isNaN(sessionNotOnOrAfter) ? { sessionNotOnOrAfter } : {}),
  };
}

/**
 * Reads an assertion from its verified bytes and checks subject, issuer, confirmation, recipient, audience and times. All
 * checks are made, so that an administrator sees everything that is wrong.
 */
export function readAssertion(assertion: Element, expected: Expectations, checks: CheckList): AssertionValues {
  const subject = childNamed(assertion, SAML, 'Subject');
  const nameIdElement = childNamed(subject, SAML, 'NameID');
  const nameId = readText(nameIdElement) ?? '';
  const issuer = readText(childNamed(assertion, SAML, 'Issuer')) ?? '';
  const confirmation = findConfirmation(assertion, expected);
  const recipient = readAttribute(confirmation, 'Recipient');
  const inResponseTo = readAttribute(confirmation, 'InResponseTo');
  const { fault, notOnOrAfter, issueInstant } = checkTimes(assertion, confirmation, expected);
  const isOurs = issuer === expected.issuer;
  checks.add(
    'issuer',
    isOurs ? undefined : `The issuer of the assertion is ${issuer}; expected is ${expected.issuer}.`,
  );
  checks.add('subject', checkSubject(assertion, nameIdElement));
  checks.add('confirmation', confirmation ? undefined : 'The subject has no bearer confirmation with its data.');
  checks.add('in_response_to', describeRequest('confirmation', inResponseTo, expected.requestId));
  checks.add(
    'recipient',
    recipient !== undefined && expected.acsUrls.includes(recipient)
      ? undefined
      : `The recipient is ${recipient ?? 'absent'}; expected is ${expected.acsUrls.join(' or ')}.`,
  );
  checks.add('audience', checkAudience(assertion, expected));
  checks.add('time', fault);
  return {
    assertionId: readAttribute(assertion, 'ID') ?? '',
    issuer,
    nameId,
    nameIdFormat: readAttribute(nameIdElement, 'Format') ?? UNSPECIFIED_NAME_ID,
    attributes: readAttributes(assertion),
    issueInstant,
    notOnOrAfter,
    ...readAuthentication(assertion),
  };
}

/** Describes how the request in a part of the response differs from the expected one. */
export function describeRequest(
  part: string,
  named: string | undefined,
  expected: string | undefined,
): string | undefined {
  if (named === expected) return undefined;
  if (expected === undefined) return `The ${part} names a request, but this sign-in was not begun by one.`;
  return named === undefined
    ? `The ${part} names no request (InResponseTo), but this sign-in was begun by one.`
    : `The ${part} names another request than that of this sign-in.`;
}
