import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError } from '../../../kernel/errors.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { finishPasskeySignIn, type PasskeyOutcome } from '../../../proofs/passkeys/public.ts';
import { assessRisk, emitFailure, emitProof, stageFailedRisk } from '../../../proofs/modules/sign-in-checks/public.ts';
import { attemptIn, originIn } from '../flow/advance.ts';
import { continueVisit } from '../flow/conclude.ts';
import { RejectedForm } from '../flow/errors.ts';
import { PATHS } from '../flow/paths.ts';
import { countTry } from '../flow/pending.ts';
import { step } from '../flow/step.ts';
import { pageIn, type PageReply, redirect, type Visit } from '../flow/visit.ts';
import { findSignInMethods } from '../sign-in/methods.ts';
import { renderFirstPage } from '../sign-in/operations.ts';
import { describeFault, FAULT_TEXTS } from './fault.ts';
import { newRequest, makeSubject } from './options.ts';

const accessDenied = declareError({
  status: 400,
  code: 'access_denied',
  message: 'The sign-in was rejected by the rules of the environment.',
});

/** Shows the first page with an alert, and a new challenge. The use of the former one is committed. */
async function reject(visit: Visit, alert: string): Promise<RejectedForm> {
  const [methods, passkey] = await awaitAll([findSignInMethods(visit), newRequest(visit)]);
  return new RejectedForm(renderFirstPage(visit, methods, { alert, passkey }), { commitOnFailure: true });
}

/** Signs in with a verified passkey, unless Radar blocks it. It counts as two factors, since its user was verified. */
async function accept(
  unit: Unit,
  visit: Visit,
  { user }: Extract<PasskeyOutcome, { kind: 'accepted' }>,
  signalsId: string | undefined,
): Promise<PageReply> {
  const { environmentId } = visit.flow;
  const { translate } = visit.surroundings.language;
  const origin = originIn(visit);
  const { email } = user;
  const risk = await assessRisk(unit, { environmentId, email, method: 'passkey', origin, signalsId });
  if (risk?.verdict === 'block') {
    emitFailure(unit, 'passkey', origin, { userId: user.id, email }, accessDenied);
    stageFailedRisk(unit, risk, { method: 'passkey', origin, user });
    throw await reject(visit, translate(FAULT_TEXTS.invalid));
  }
  emitProof(unit, 'passkey', origin, user);
  const proofs = { emailVerified: false, mfa: true };
  const [methods, passkey] = [await findSignInMethods(visit), undefined];
  return continueVisit(unit, visit, attemptIn(visit, { user, method: 'passkey', proofs, risk }), (alert) =>
    renderFirstPage(visit, methods, { alert, passkey }),
  );
}

/** The form of the first page with the response of an authenticator. */
export const passkeySignInOperations = step({
  name: 'passkey',
  path: PATHS.passkey,
  summary: 'The page to which a browser sends a passkey',
  show: async (visit) => redirect(pageIn(visit, PATHS.signIn)),
  async take(visit, form, unit) {
    const methods = await findSignInMethods(visit);
    if (!methods.passkey) return redirect(pageIn(visit, PATHS.signIn));
    const tooMany = await countTry(unit, visit, {});
    if (tooMany !== undefined) throw await reject(visit, tooMany);
    const request = { environmentId: visit.flow.environmentId, subject: makeSubject(visit) };
    const outcome = await finishPasskeySignIn(unit, request, form.credential ?? '');
    if (outcome.kind === 'accepted') return accept(unit, visit, outcome, form.signals_id);
    const { fault, user } = outcome;
    const owner = { userId: user?.id ?? null, email: user?.email ?? null };
    emitFailure(unit, 'passkey', originIn(visit), owner, describeFault(fault));
    throw await reject(visit, visit.surroundings.language.translate(FAULT_TEXTS[fault]));
  },
});
