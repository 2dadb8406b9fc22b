import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageMagicAuth, stageMagicCode, stageDecoyMagicCode } from '../../../proofs/modules/email-proofs/public.ts';
import { findUserConstantReads } from '../../../tenancy/modules/users/public.ts';
import { askedIn, callerIn } from '../flow/advance.ts';
import { stageDecoy } from '../flow/decoy.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import type { Visit } from '../flow/visit.ts';
import { findSignInMethods } from '../sign-in/methods.ts';

/**
 * Mails a sign-in code if it can be used: to a user with an account, or to any address if sign-up is enabled. The page is
 * the same in both cases.
 * @throws Failure with 429 if too many were sent to the address, or requested by one client
 */
export async function sendSignInCode(unit: Unit, visit: Visit, email: string): Promise<void> {
  const { environmentId } = visit.flow;
  await countAddress(unit, environmentId, 'message.address', visit.request.sourceIp);
  const [user, signInMethods] = await awaitAll([findUserConstantReads(environmentId, email), findSignInMethods(visit)]);
  const { locale } = visit.surroundings.language;
  const caller = callerIn(visit, email);
  const asked = askedIn(visit);
  if (user !== undefined) {
    await stageMagicAuth(unit, user, { locale, caller, asked });
  } else if (signInMethods.maySignUp(email)) {
    await stageMagicCode(unit, { environmentId, email, locale, caller, asked });
    // The decoy rows take the place of the record and the event that a user with an account has.
    await stageDecoy(unit, environmentId, 2);
  } else {
    await stageDecoyMagicCode(unit, { environmentId, email, caller });
    await stageDecoy(unit, environmentId, 3);
  }
}
