import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  assessRisk,
  countWrongPassword,
  emitFailure,
  emitProof,
  stageFailedRisk,
} from '../../../proofs/modules/sign-in-checks/public.ts';
import { prefetch } from '../../../sign-in/modules/sign-in/public.ts';
import { declareError } from '../../../kernel/errors.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { checkPassword } from '../../../proofs/modules/credentials/public.ts';
import { findUserConstantReads } from '../../../tenancy/modules/users/public.ts';
import { attemptIn, originIn } from '../flow/advance.ts';
import { continueVisit } from '../flow/conclude.ts';
import { countTry } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import type { PageReply, Visit } from '../flow/visit.ts';

/** The error of the password grant for a wrong email or password, for the event. */
const invalidCredentials = declareError({
  status: 400,
  code: 'invalid_credentials',
  message: 'The email or the password is wrong.',
});

/** The error for a sign-in that Radar blocks, for which the page has the text of a wrong password. */
const accessDenied = declareError({
  status: 400,
  code: 'access_denied',
  message: 'The sign-in was rejected by the rules of the environment.',
});

/**
 * Signs in with a password. An unknown user, a user without a password and a wrong password have the same response at the
 * same cost.
 * @param again renders the form with an error at the password, or an alert
 */
export async function signInWithPassword(
  unit: Unit,
  visit: Visit,
  { email, password, signalsId }: { email: string; password: string; signalsId: string | undefined },
  again: (what: { wrong?: string; alert?: string }) => Page,
): Promise<PageReply> {
  const { environmentId } = visit.flow;
  const { language } = visit.surroundings;
  const origin = originIn(visit);
  const [user, tooMany, risk] = await awaitAll([
    findUserConstantReads(environmentId, email),
    countTry(unit, visit, { email, isPassword: true }),
    assessRisk(unit, { environmentId, email, method: 'password', origin, signalsId }),
  ]);
  if (tooMany !== undefined) throw new RejectedForm(again({ alert: tooMany }));
  const read = prefetch(unit, environmentId, user);
  const { ok, rehash } = await checkPassword(environmentId, user, password, email);
  const isBlocked = risk?.verdict === 'block';
  if (!ok || user === undefined || isBlocked) {
    await countWrongPassword(unit, environmentId, { email, origin });
    emitFailure(
      unit,
      'password',
      origin,
      { userId: user?.id ?? null, email },
      isBlocked ? accessDenied : invalidCredentials,
    );
    stageFailedRisk(unit, risk, { method: 'password', origin, user });
    throw new RejectedForm(again({ wrong: language.translate('sign_in.wrong') }), { commitOnFailure: true });
  }
  if (rehash !== undefined) unit.stage(rehash);
  emitProof(unit, 'password', origin, user);
  const proofs = { emailVerified: false, mfa: false };
  const attempt = attemptIn(visit, { user, method: 'password', proofs, read, risk });
  return continueVisit(unit, visit, attempt, (alert) => again({ alert }));
}
