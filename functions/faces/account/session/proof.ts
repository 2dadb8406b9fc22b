import { awaitAll } from '../../../kernel/concurrency.ts';
import { findRequiredSso, type RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import type { FactorRecord } from '../../../proofs/mfa/public.ts';
import { asksForPasskey, usableFactors } from '../../../sign-in/modules/sign-in/public.ts';
import { findPasskeys, type PasskeyRecord } from '../../../proofs/passkeys/public.ts';
import { findAge, lazily, type Visit } from './visit.ts';

/**
 * The factors that a proof of the user's identity needs in addition to a password or code; none if the settings require
 * none.
 */
export const findAskedFactors = async (visit: Visit): Promise<FactorRecord[]> =>
  visit.signIn.mfa === 'off' ? [] : lazily(visit, 'factors', () => usableFactors(visit.environmentId, visit.user.id));

/** The user's passkeys, the oldest first. */
export const findOwnPasskeys = (visit: Visit): Promise<PasskeyRecord[]> =>
  lazily(visit, 'passkeys', () => findPasskeys(visit.environmentId, visit.user.id));

/**
 * Reports whether a sign-in asks the user for a passkey as the only second factor. The account page cannot ask for it, so
 * only a new sign-in proves the user's identity.
 */
export async function needsPasskey(visit: Visit): Promise<boolean> {
  const isAsked = await asksForPasskey(visit, visit.signIn, () => findOwnPasskeys(visit));
  return isAsked && (await findAskedFactors(visit)).length === 0;
}

/** The single sign-on that the address of the user requires; undefined if other methods are allowed. */
export const findRequirement = (visit: Visit): Promise<RequiredSso | undefined> =>
  lazily(visit, 'sso', () => findRequiredSso(visit.environmentId, visit.user.email));

/**
 * Reports whether the user has proved who they are within the minutes of the settings: on the account page, or by a sign-in
 * with all the factors that it needs. If the address requires single sign-on, only that counts, and a link of the console, which is the only way in which
 * an operator adds the first factor: without one, single sign-on of the operators' company is rejected.
 */
export async function isProven(visit: Visit): Promise<boolean> {
  const { session, browser, options } = visit;
  const isRecent = (at: number | undefined): boolean =>
    at !== undefined && findAge(at) < options.proof_minutes * 60_000;
  const [required, factors] = await awaitAll([findRequirement(visit), findAskedFactors(visit)]);
  if (isRecent(session?.provenAt)) return required === undefined || ['sso', 'link'].includes(session?.method ?? '');
  if (browser === undefined || !isRecent(browser.authenticatedAt)) return false;
  // The proofs of the browser are sufficient for the account (`findVisit`), so single sign-on was that of its own organization.
  if (required !== undefined) return browser.method === 'sso';
  return browser.mfa || browser.method === 'sso' || (factors.length === 0 && !(await needsPasskey(visit)));
}
