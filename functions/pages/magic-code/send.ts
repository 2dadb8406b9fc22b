import type { Unit } from '../../kernel/storage/unit.ts';
import { stageMagicAuth, stageMagicCode, stageUntoldMagicCode } from '../../email-proofs/public.ts';
import { soughtUser } from '../../users/public.ts';
import { callerIn } from '../flow/advance.ts';
import { stageDecoy } from '../flow/decoy.ts';
import { countAddress } from '../flow/limits.ts';
import type { Visit } from '../flow/visit.ts';
import { waysOf } from '../sign-in/ways.ts';

/**
 * Mails a code to sign in with, to whom it lets in: somebody with an account, or anybody where accounts may be made. What
 * the page says is the same.
 * @throws Failure with 429 when too many were sent to the address, or asked for from one client's
 */
export async function sendSignInCode(unit: Unit, visit: Visit, email: string): Promise<void> {
  const { environmentId } = visit.flow;
  await countAddress(unit, environmentId, 'message.address', visit.request.sourceIp);
  const [user, ways] = await Promise.all([soughtUser(environmentId, email), waysOf(visit)]);
  const { locale } = visit.surroundings.language;
  const caller = callerIn(visit, email);
  if (user !== undefined) {
    await stageMagicAuth(unit, user, { locale, caller });
  } else if (ways.maySignUp(email)) {
    await stageMagicCode(unit, { environmentId, email, locale, caller });
    // The record and the event that somebody with an account has besides.
    await stageDecoy(unit, environmentId, 2);
  } else {
    await stageUntoldMagicCode(unit, { environmentId, email, caller });
    await stageDecoy(unit, environmentId, 3);
  }
}
