import { pollDevice, readDeviceApplication } from '../../../sign-in/authentication/public.ts';
import { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure } from '../../../kernel/errors.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { findOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { clientOfTokenRequest } from '../client-secret/credentials.ts';
import { findConsent, isOwnConsent } from '../consent/entity.ts';
import { grants } from '../grant/entity.ts';
import { newGrant } from '../grant/stage.ts';
import { concludeGrant, startTokens, writeRefreshToken } from './conclude.ts';
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  missingParameter,
  slowDown,
} from './errors.ts';
import type { TokenGrant } from './grants.ts';

const RESPONSES = {
  unknown: invalidGrant,
  expired: expiredToken,
  denied: accessDenied,
  waiting: authorizationPending,
  too_soon: slowDown,
} as const;

/** The grant by which a device of an application polls for its approval (RFC 8628 section 3.4). The poll is stored in any case. */
export const pollForDevice: TokenGrant = async (call) => {
  const { environmentId, body, unit } = call;
  const { device_code: deviceCode } = body;
  if (deviceCode === undefined) throw new Failure(missingParameter, { message: 'device_code is required.' });
  const [{ application }, model, settings, audiences] = await readTogether(() =>
    awaitAll([
      clientOfTokenRequest(call),
      loadModel(environmentId),
      findSettings(environmentId, connectSettings),
      loadAudiences(environmentId),
    ]),
  );
  const poll = await pollDevice(unit, environmentId, deviceCode, application.id);
  if (poll.kind !== 'approved') throw new Failure(RESPONSES[poll.kind], { commitOnFailure: true });
  const { request } = poll;
  const { userId, organizationId, consentId = '', authenticatedAt } = request;
  const [user, consent, membership, sso] = await readTogether(() =>
    awaitAll([
      findUser(environmentId, userId),
      findConsent(environmentId, userId, consentId),
      organizationId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
      organizationId === undefined ? undefined : findOrganizationSso(environmentId, organizationId),
    ]),
  );
  const isMember = organizationId === undefined || membership?.status === 'active';
  const isCurrent = user !== undefined && (user.credentialEpoch ?? 0) === request.credentialEpoch;
  const isComplete = authenticatedAt !== undefined && consent !== undefined;
  if (!isMember || !isCurrent || !isComplete || !isOwnConsent(consent, user)) {
    throw new Failure(invalidGrant, { commitOnFailure: true });
  }
  const authority = (request.proofs as Authority | undefined) ?? [];
  const verdict = await askEntry({ user, authority, organizationId, isMember, sso });
  if (!verdict.isAllowed) throw new Failure(invalidGrant, { commitOnFailure: true });
  const { scopes: asked = [], resource } = readDeviceApplication(request) ?? {};
  const granted = { scopes: asked, resource };
  const concluding = { application, granted, consent, user, verdict, model, settings, audiences };
  return concludeGrant(call, concluding, (scopes) => {
    const { attributes, secret } = startTokens(settings, scopes);
    const { record, write } = grants.create({
      ...newGrant(verdict, { consent, scopes: asked, authenticatedAt }),
      ...attributes,
    });
    unit.stage(write);
    return { grant: record, refreshToken: secret && writeRefreshToken(record, secret) };
  });
};
