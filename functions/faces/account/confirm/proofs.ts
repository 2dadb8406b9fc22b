import { findPagesHost } from '../../../kernel/pages/host.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, type DeclaredError } from '../../../kernel/errors.ts';
import { tooMany } from '../../../kernel/limits/counter.ts';
import { newId } from '../../../kernel/ids.ts';
import { accountCodeMail } from '../../../kernel/messages/templates/account-code.ts';
import { type CodeSubject, currentCode } from '../../../kernel/one-time-code/entity.ts';
import { sendCode } from '../../../kernel/one-time-code/send.ts';
import { useCode } from '../../../kernel/one-time-code/stage.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { checkPassword } from '../../../proofs/modules/credentials/public.ts';
import { countSending } from '../../../proofs/modules/email-proofs/public.ts';
import { stageChallenge } from '../../../proofs/mfa/public.ts';
import { checkFactorCode } from '../../../sign-in/modules/sign-in/public.ts';
import {
  countSignIn,
  countWrongPassword,
  emitFailure,
  emitProof,
  type Proof,
} from '../../../proofs/modules/sign-in-checks/public.ts';
import { FormRejection } from '../page/page-operations.ts';
import { findAskedFactors } from '../session/proof.ts';
import { stageProof } from '../session/stage.ts';
import { findAge, type Visit } from '../session/visit.ts';

const wrongPassword = declareError({
  status: 400,
  code: 'invalid_credentials',
  message: 'The password is wrong.',
});

const wrongCode = (code: string): DeclaredError => ({
  status: 400,
  code,
  message: 'The code is wrong, has expired, or was used.',
});

/** Time in milliseconds for which the first part of a proof waits for the second. */
const AWAITING_MS = 600_000;

/** The second part of a proof for which the session waits; undefined if there is none. */
export function findAwaiting({ session }: Visit) {
  const awaiting = session?.awaiting;
  return awaiting !== undefined && findAge(awaiting.since) < AWAITING_MS ? awaiting : undefined;
}

const placeOf = ({ environmentId, user }: Visit): CodeSubject => ({
  environmentId,
  purpose: 'account-proof',
  subject: user.id,
});

/** Mails a code to the user's address in place of the former one. @throws Failure 429 after too many */
export async function stageCodeMail(unit: Unit, visit: Visit): Promise<void> {
  const { environmentId, user } = visit;
  await sendCode(
    unit,
    placeOf(visit),
    { codeId: newId('account_code'), owner: ownerKey('user', user.id), detail: user.email },
    {
      to: user.email,
      template: accountCodeMail,
      locale: user.locale,
      count: () => countSending(unit, environmentId, 'account-code.user', user.id),
    },
  );
}

/** Counts an attempt of this user. @throws Failure 429 */
async function countTry(unit: Unit, { environmentId, user, origin }: Visit, isPassword: boolean): Promise<void> {
  const counted = isPassword ? { email: user.email, userId: user.id, isPassword } : { userId: user.id };
  const verdict = await countSignIn(unit, environmentId, { ...counted, origin });
  if (!verdict.allowed) throw tooMany(verdict);
}

/** Emits the event of a wrong proof, and rejects the form with an error at its field. */
function reject(
  unit: Unit,
  { user, origin }: Visit,
  proof: Proof,
  error: DeclaredError,
  wrong: Record<string, string>,
) {
  emitFailure(unit, proof, origin, { userId: user.id, email: user.email }, error);
  return new FormRejection(wrong, { commits: true });
}

/** Checks the user's password as the first part of a proof. @returns the Set-Cookie header */
export async function provePassword(unit: Unit, visit: Visit, password: string): Promise<string> {
  const { environmentId, user, origin, surroundings } = visit;
  const { translate } = surroundings.language;
  if (password === '') throw new FormRejection({ password: translate('field.password_missing') });
  await countTry(unit, visit, true);
  const { ok, rehash } = await checkPassword(environmentId, user, password);
  if (!ok) {
    await countWrongPassword(unit, environmentId, { email: user.email, origin });
    throw reject(unit, visit, 'password', wrongPassword, { password: visit.translate('confirm.wrong_password') });
  }
  if (rehash !== undefined) unit.stage(rehash);
  emitProof(unit, 'password', origin, user);
  return stageFirstPart(unit, visit, 'password');
}

/** Checks the mailed code as the first part of a proof. @returns the Set-Cookie header */
export async function proveCode(unit: Unit, visit: Visit, code: string): Promise<string> {
  const { user, origin, surroundings } = visit;
  const { translate } = surroundings.language;
  if (code === '') throw new FormRejection({ code: translate('field.code_missing') });
  await countTry(unit, visit, false);
  const { outcome, record } = await useCode(unit, placeOf(visit), code);
  // A code that was mailed to a former address proves nothing.
  const isOwn = (record ?? (await currentCode(placeOf(visit))))?.detail === user.email;
  if (outcome !== 'valid' || !isOwn) {
    const key = outcome === 'valid' || outcome === 'invalid' ? 'wrong' : outcome;
    const text = translate(key === 'too_many_attempts' ? 'code.too_many' : `code.${key}`);
    throw reject(unit, visit, 'magic_auth', wrongCode('invalid_one_time_code'), { code: text });
  }
  emitProof(unit, 'magic_auth', origin, user);
  return stageFirstPart(unit, visit, 'magic_code');
}

/** Checks the code of a factor, the second part of a proof. @returns the Set-Cookie header */
export async function proveFactor(
  unit: Unit,
  visit: Visit,
  { challengeId, method }: { challengeId: string; method: string },
  code: string,
): Promise<string> {
  const { user, origin, surroundings } = visit;
  const { translate } = surroundings.language;
  if (code === '') throw new FormRejection({ code: translate('field.code_missing') });
  await countTry(unit, visit, false);
  const outcome = await checkFactorCode(unit, user, challengeId, code);
  if (outcome !== 'valid') {
    const text = translate(outcome === 'too_many_attempts' ? 'challenge.too_many' : 'challenge.wrong');
    throw reject(unit, visit, 'mfa', wrongCode('invalid_one_time_code'), { code: text });
  }
  emitProof(unit, 'mfa', origin, user);
  return complete(unit, visit, method);
}

/** Stores the first part of a proof: it is the whole proof if no factor is asked for, otherwise a factor is challenged. */
async function stageFirstPart(unit: Unit, visit: Visit, method: string): Promise<string> {
  const factors = await findAskedFactors(visit);
  const factor = factors.find(({ type }) => type === 'totp') ?? factors[0];
  if (factor === undefined) return complete(unit, visit, method);
  const { record } = await stageChallenge(unit, factor, { host: findPagesHost() });
  const awaiting = { challengeId: record.id, method, since: clock.now() };
  return stageProof(unit, visit, { provenAt: undefined, method: undefined, awaiting });
}

function complete(unit: Unit, visit: Visit, method: string): Promise<string> {
  const { user, origin } = visit;
  unit.emit('authentication.reauthentication_succeeded', {
    type: 'reauthentication',
    status: 'succeeded',
    ip_address: origin.ipAddress,
    user_agent: origin.userAgent,
    user_id: user.id,
    email: user.email,
  });
  return stageProof(unit, visit, { provenAt: clock.now(), method, awaiting: undefined });
}
