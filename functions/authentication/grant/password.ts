import { checkPassword } from '../../credentials/public.ts';
import { findUserConstantReads } from '../../users/public.ts';
import { countWrongPassword } from '../sign-in/limits.ts';
import { emitFailure, emitProof } from '../sign-in/outcome.ts';
import { prefetch } from '../sign-in/prefetch.ts';
import { finishSignIn } from './answer.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { invalidCredentials, passwordOff } from './errors.ts';
import type { AuthenticateResponse, Password } from './schema.ts';

/**
 * An email and a password. An unknown user, one without a password and a wrong password have the same response at the
 * same cost: the same reads, one hash, one event.
 */
export async function passwordGrant(context: GrantContext, body: Password): Promise<AuthenticateResponse> {
  const { environmentId, settings, origin, unit, fail } = context;
  if (!settings.methods.password) throw fail(passwordOff);
  const [user] = await Promise.all([
    findUserConstantReads(environmentId, body.email),
    countAttempt(context, { email: body.email, isPassword: true }),
  ]);
  const read = prefetch(environmentId, user);
  const { ok, rehash } = await checkPassword(environmentId, user, body.password, body.email);
  if (!ok || user === undefined) {
    await countWrongPassword(unit, environmentId, { email: body.email, origin });
    const userMembers = { userId: user?.id ?? null, email: body.email };
    emitFailure(unit, 'password', origin, userMembers, invalidCredentials);
    throw fail(invalidCredentials, { commitOnFailure: true });
  }
  if (rehash !== undefined) unit.stage(rehash);
  emitProof(unit, 'password', origin, user);
  return finishSignIn(context, {
    ...origin,
    environmentId,
    user,
    method: 'password',
    proofs: { emailVerified: false, mfa: false },
    read,
    invitationToken: body.invitation_token,
  });
}
