import { cutText } from '../../../kernel/text.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import type { AttributeMaps } from '../connection/rules.ts';
import type { Exchanged, ExchangeFailure } from '../oidc/exchange.ts';
import { mapProfile } from '../saml/attributes.ts';
import type { ResponseOutcome } from '../saml/response.ts';
import type { ProviderResponse, LastCheck } from '../sign-in/entity.ts';
import type { Asserted } from '../sign-in/identity.ts';
import { type AttemptCheck, type AttemptDetails, type MappedValues, OIDC_CHECKS } from './shape.ts';

/** Maximum bytes of the claims of an attempt, as JSON. */
const MOST_CLAIM_BYTES = 8_192;
const MOST_DETAIL = 500;

function boundClaims(claims: Readonly<Record<string, unknown>>): Pick<AttemptDetails, 'claims' | 'isCut'> {
  let bytes = 2;
  const entries = Object.entries(claims);
  const kept = entries.filter((entry) => {
    const size = Buffer.byteLength(JSON.stringify(entry));
    if (bytes + size > MOST_CLAIM_BYTES) return false;
    bytes += size;
    return true;
  });
  return { claims: Object.fromEntries(kept), isCut: kept.length < entries.length };
}

/** Groups and custom attributes have the same limit as the claims from which they are made. */
function boundProfile({ groups, custom, ...values }: MappedValues): MappedValues {
  const one = boundClaims(custom);
  const fits = Buffer.byteLength(JSON.stringify(groups)) <= MOST_CLAIM_BYTES;
  return {
    ...values,
    groups: fits ? groups : groups.slice(0, 100).map((name) => cutText(name, 0, 60)),
    custom: one.claims,
  };
}

const boundContexts = (contexts: readonly string[]): string[] =>
  contexts.slice(0, 20).map((context) => cutText(context, 0, 255));

/** The last checks, which both protocols have in common. */
function lastChecks(response: ProviderResponse, isVerified: boolean): AttemptCheck[] {
  if (!isVerified) return LAST.map((check) => ({ check, outcome: 'not_reached' }));
  if (response.kind === 'identity') return LAST.map((check) => ({ check, outcome: 'passed' }));
  const failed = response.check ?? 'identity';
  return LAST.map((check, at) => {
    if (check === failed) return { check, outcome: 'failed', detail: response.message };
    return { check, outcome: at < LAST.indexOf(failed) ? 'passed' : 'not_reached' };
  });
}

/** Checks that there is an id and an email, and that the authentication is as recent as requested. */
const LAST: LastCheck[] = ['identity', 'reauthentication'];

const cutDetail = ({ check, outcome, detail }: AttemptCheck): AttemptCheck => ({
  check,
  outcome,
  ...(detail === undefined ? {} : { detail: cutText(detail, 0, MOST_DETAIL) }),
});

/** The details of a SAML response. Its values are shown if its signature was verified, even if a later check failed. */
export function samlDetails(
  record: ConnectionRecord,
  outcome: ResponseOutcome,
  response: ProviderResponse,
): AttemptDetails {
  const checks = [...outcome.checks, ...lastChecks(response, outcome.isAccepted)].map(cutDetail);
  const { assertion } = outcome;
  if (assertion === undefined) return { checks, claims: {}, isCut: false };
  const { standard, custom } = record.attributeMaps as AttributeMaps;
  const { raw, ...profile } = mapProfile(assertion, record.type, { standard, custom });
  return {
    checks,
    ...boundClaims(raw),
    subject: cutText(assertion.nameId, 0, 1_024),
    profile: boundProfile(profile),
    contexts: boundContexts(assertion.authnContext === undefined ? [] : [assertion.authnContext]),
    authenticatedAt: assertion.authnInstant,
  };
}

/** The details of an OpenID Connect response. */
export function oidcDetails(
  response: ProviderResponse,
  result: { exchanged: Exchanged; identity: Asserted } | { failure: ExchangeFailure },
): AttemptDetails {
  if ('failure' in result) {
    const { check: failed, detail = result.failure.message } = result.failure;
    const checks = OIDC_CHECKS.map((check, at): AttemptCheck => {
      if (check === failed) return { check, outcome: 'failed', detail };
      return { check, outcome: at < OIDC_CHECKS.indexOf(failed) ? 'passed' : 'not_reached' };
    });
    return { checks: [...checks, ...lastChecks(response, false)].map(cutDetail), claims: {}, isCut: false };
  }
  const passed = OIDC_CHECKS.map((check): AttemptCheck => ({ check, outcome: 'passed' }));
  const { idpId, email, firstName, lastName, name, groups, custom, raw, contexts, authenticatedAt } = result.identity;
  const { sub } = result.exchanged.claims;
  return {
    checks: [...passed, ...lastChecks(response, true)].map(cutDetail),
    ...boundClaims(raw),
    subject: typeof sub === 'string' ? cutText(sub, 0, 1_024) : undefined,
    profile: boundProfile({ idpId, email, firstName, lastName, name, groups, custom }),
    contexts: boundContexts(contexts),
    authenticatedAt,
  };
}
