import { systemActor } from '../../../kernel/authentication/caller.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { clock } from '../../../kernel/clock.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { isFresh } from '../../social/public.ts';
import { ownAcsUrl, readParty, metadataUrl } from '../connection/addresses.ts';
import type { AttemptDetails } from '../attempt/shape.ts';
import { prepareAttempt, stageAttempt } from '../attempt/stage.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { type AttributeMaps, samlIn } from '../connection/rules.ts';
import { openConnection } from '../connection/secrets.ts';
import { mapProfile } from '../saml/attributes.ts';
import type { ResponseOutcome } from '../saml/response.ts';
import {
  type ProviderResponse,
  type LastCheck,
  type SignInSecrets,
  type SsoSignInRecord,
  ssoSignIns,
  usedAssertions,
} from './entity.ts';
import { type Asserted, boundedRaw } from './identity.ts';
import { encryptResponse } from './state.ts';

/** Time in ms for which unsolicited assertions are accepted after they were issued. */
const UNSOLICITED_AGE_MS = 300_000;

/**
 * Verifies a SAML response with the certificates of a connection.
 * @param requestId the id of the request; undefined for an unsolicited response
 */
export async function verifySaml(
  record: ConnectionRecord,
  response: string,
  requestId: string | undefined,
): Promise<ResponseOutcome> {
  const saml = samlIn(record);
  const { spEncryptionKeys = {} } = await openConnection(record);
  const { acsUrl, entityId } = readParty(record);
  const keys = {
    certificates: saml?.idpCertificates.map(({ value }) => value) ?? [],
    decryptionKeys: Object.values(spEncryptionKeys).toReversed(),
  };
  const { xmlReader } = await import('../saml/apart.ts');
  return xmlReader.verifyResponse(response, keys, {
    issuer: saml?.idpEntityId ?? '',
    acsUrls: [...new Set([acsUrl, ownAcsUrl(record)])],
    audiences: [...new Set([entityId, metadataUrl(record)])],
    requestId,
    now: clock.now(),
    ...(requestId === undefined ? { maximumAge: UNSOLICITED_AGE_MS } : {}),
  });
}

const failure = (
  code: string,
  message: string,
  email: string | null = null,
  check: LastCheck = 'identity',
): ProviderResponse => ({
  kind: 'failure',
  code,
  message,
  email,
  check,
});

/** The result of a verified response: the identity, or the reason why there is none. */
export function readResponse(
  record: ConnectionRecord,
  outcome: ResponseOutcome,
  reauthentication: SignInSecrets['reauthentication'],
): ProviderResponse {
  if (!outcome.isAccepted) {
    const isDenied = outcome.reason === 'status';
    const message = isDenied
      ? 'The identity provider did not sign the user in.'
      : `The response of the identity provider was rejected: ${outcome.reason}.`;
    return failure(isDenied ? 'access_denied' : 'server_error', message);
  }
  const { assertion } = outcome;
  const { standard, custom } = record.attributeMaps as AttributeMaps;
  const mapped = mapProfile(assertion, record.type, { standard, custom });
  return toIdentityResponse(
    {
      idpId: mapped.idpId,
      email: mapped.email,
      firstName: mapped.firstName,
      lastName: mapped.lastName,
      name: mapped.name,
      groups: mapped.groups,
      custom: mapped.custom,
      raw: boundedRaw(mapped.raw),
      authenticatedAt: assertion.authnInstant,
      contexts: assertion.authnContext === undefined ? [] : [assertion.authnContext],
      sessionId: assertion.sessionIndex,
    },
    reauthentication,
  );
}

/** Checks that an identity has an id and an email, and that the authentication is as recent as requested. */
export function toIdentityResponse(
  asserted: Asserted,
  reauthentication: SignInSecrets['reauthentication'],
): ProviderResponse {
  const email = asserted.email === undefined ? undefined : normalizeEmail(asserted.email);
  const { idpId, authenticatedAt } = asserted;
  if (idpId === undefined || idpId === '' || Buffer.byteLength(idpId) > 1_024) {
    return failure('server_error', 'The identity provider states no lasting id of the user.', email ?? null);
  }
  if (email === undefined) return failure('server_error', 'The identity provider states no email of the user.');
  if (
    reauthentication !== undefined &&
    (authenticatedAt === undefined || !isFresh(authenticatedAt, reauthentication.sentAt, freshness(reauthentication)))
  ) {
    return failure(
      'access_denied',
      'The identity provider did not ask the user to sign in again.',
      email,
      'reauthentication',
    );
  }
  return { kind: 'identity', identity: { ...asserted, idpId, email } };
}

const freshness = ({ prompt, maxAge }: NonNullable<SignInSecrets['reauthentication']>) => ({
  ...(prompt === 'login' ? { prompt: 'login' as const } : {}),
  ...(maxAge === undefined ? {} : { maxAge }),
});

export const REPLAYED = {
  code: 'assertion_replayed',
  message: 'The assertion was presented before. Each one is accepted once.',
};

const usedId = (connectionId: string, assertionId: string): string =>
  sha256Hex(JSON.stringify([connectionId, assertionId]));

/** Stages the row that records the use of an assertion, which is kept until the assertion expires. */
export function stageUseOfAssertion(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id }: ConnectionRecord,
  outcome: ResponseOutcome,
): void {
  if (!outcome.isAccepted) return;
  const { assertionId, notOnOrAfter } = outcome.assertion;
  const expiresAt = Math.ceil(notOnOrAfter / 1_000) + 1;
  const { write } = usedAssertions.create({ environmentId, id: usedId(id, assertionId), expiresAt });
  unit.stage(inPlaceOfExpired(write));
}

/** Reports whether the assertion of a response was used, by one GetItem. */
export async function isUsed({ environmentId, id }: ConnectionRecord, outcome?: ResponseOutcome): Promise<boolean> {
  if (outcome?.isAccepted !== true) return false;
  const row = await usedAssertions.get(environmentId, usedId(id, outcome.assertion.assertionId));
  return row !== undefined && (row.expiresAt ?? 0) > clock.seconds();
}

/**
 * Stores the response of a provider in its sign-in, which accepts only one; the browser then continues with its own GET.
 * @param given The details of the attempt; and the outcome of a SAML response, whose assertion is then used.
 * @returns false if the sign-in has a response already, or the assertion was used
 */
export async function storeResponse(
  signIn: SsoSignInRecord,
  state: string,
  record: ConnectionRecord,
  response: ProviderResponse,
  { details, outcome }: { details: AttemptDetails; outcome?: ResponseOutcome },
): Promise<boolean> {
  const attempt = await prepareAttempt(record, details);
  const { environmentId, organizationId, id: connectionId, version: connectionVersion } = record;
  const kind = signIn.purpose === 'test' ? ('test' as const) : ('sign_in' as const);
  const { ipAddress, userAgent } = signIn;
  const made = { environmentId, connectionId, organizationId, kind, ipAddress, userAgent, connectionVersion };
  let isFirst = true;
  let current: SsoSignInRecord | undefined = signIn;
  await applyWork(signIn.environmentId, systemActor, async (unit) => {
    // After a conflict, another response may have been stored, or its assertion used.
    current ??= await ssoSignIns.get(signIn.environmentId, signIn.id);
    const isOpen = current !== undefined && current.response === undefined;
    const isReplay = isOpen && (await isUsed(record, outcome));
    isFirst = isOpen && !isReplay;
    // The attempt shows the administrator that an assertion was presented again; the sign-in still accepts its own response.
    if (isReplay) stageAttempt(unit, { ...made, error: REPLAYED }, attempt);
    if (current === undefined || !isFirst) return;
    const sealed = encryptResponse(signIn, state, response);
    const changes = { response: sealed, attemptId: attempt.id, dueShard: undefined, dueAt: undefined };
    unit.stage(ssoSignIns.revise(current, changes).write);
    stageAttempt(unit, made, attempt);
    if (outcome !== undefined) stageUseOfAssertion(unit, record, outcome);
    current = undefined;
  });
  return isFirst;
}
