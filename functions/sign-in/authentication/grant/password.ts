import { awaitAll } from '../../../kernel/concurrency.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { checkPassword } from '../../../proofs/modules/credentials/public.ts';
import { findUserConstantReads } from '../../../tenancy/modules/users/public.ts';
import {
  countWrongPassword,
  emitFailure,
  emitProof,
  assessRisk,
  BLOCKED_MESSAGE,
  stageFailedRisk,
} from '../../../proofs/modules/sign-in-checks/public.ts';
import { prefetch } from '../../modules/sign-in/public.ts';
import { findRequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { finishSignIn, ssoFailure } from './finish-sign-in.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { accessDenied, invalidCredentials, passwordOff } from './errors.ts';
import type { AuthenticateResponse, Password } from './schema.ts';

/**
 * The grant for an email and a password. An unknown user, a user without a password and a wrong password have the same
 * response at the same cost: the same reads, one hash, one event. A sign-in that Radar blocks takes the same time.
 */
export async function passwordGrant(context: GrantContext, body: Password): Promise<AuthenticateResponse> {
  const { environmentId, settings, origin, unit, fail } = context;
  if (!settings.methods.password) throw fail(passwordOff);
  const requiredSso = findRequiredSso(environmentId, body.email);
  const [user, , risk, required] = await awaitAll([
    findUserConstantReads(environmentId, body.email),
    countAttempt(context, { email: body.email, isPassword: true }),
    assessRisk(unit, {
      ...{ environmentId, email: body.email, method: 'password', origin },
      signalsId: body.signals_id,
      attemptId: body.radar_auth_attempt_id,
    }),
    requiredSso,
  ]);
  // The response depends only on the domain, so it is the same for an address with a user and one without.
  if (required !== undefined) throw ssoFailure(context, required, body.email);
  const { read, ok, rehash } = await readTogether(async () => ({
    read: prefetch(unit, environmentId, user),
    ...(await checkPassword(environmentId, user, body.password, body.email)),
  }));
  const isBlocked = risk?.verdict === 'block';
  if (!ok || user === undefined || isBlocked) {
    await countWrongPassword(unit, environmentId, { email: body.email, origin });
    const userMembers = { userId: user?.id ?? null, email: body.email };
    const error = isBlocked ? accessDenied : invalidCredentials;
    const message = isBlocked ? BLOCKED_MESSAGE : error.message;
    emitFailure(unit, 'password', origin, userMembers, { ...error, message });
    stageFailedRisk(unit, risk, { method: 'password', origin, user });
    throw fail(error, { message, commitOnFailure: true });
  }
  if (rehash !== undefined) unit.stage(rehash);
  emitProof(unit, 'password', origin, user);
  return finishSignIn(context, {
    ...origin,
    environmentId,
    user,
    method: 'password',
    proofs: { emailVerified: false, mfa: false },
    requiredSso,
    read,
    risk,
    invitationToken: body.invitation_token,
  });
}
