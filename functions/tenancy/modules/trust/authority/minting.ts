import type { Caller } from '../../../../kernel/authentication/caller.ts';
import { Failure, general } from '../../../../kernel/errors.ts';
import { type Authority, operatorWord, organizationWord } from './proof.ts';
import { may, type Minting, type Verdict } from './rules.ts';

/** The permission to make a key, link, session or grant that acts for an organization, or for the environment (undefined). */
export type MintingVerdict<O extends string | undefined = string | undefined> = Verdict<
  Minting & { organizationId: O }
>;

/**
 * By whose word a caller of the API makes something: that of the environment for its key, of the organization for a grant of its
 * portal, of the operator for the console.
 * @param at the present, in milliseconds since the epoch
 */
export function readCallerAuthority(
  { operator, grant, actor }: Pick<Caller, 'operator' | 'grant' | 'actor'>,
  at: number,
): Authority {
  if (grant !== undefined) return [{ method: 'portal', word: organizationWord(grant.organizationId), at }];
  return [{ method: 'api_key', word: operator === undefined ? 'environment' : operatorWord(actor.id), at }];
}

/** Asks whether an authority may make what acts for an organization, or for the environment. @throws Failure 403 */
export function admitMinting<O extends string | undefined>(authority: Authority, organizationId: O): MintingVerdict<O> {
  const asked = may(authority, { act: 'mint' as const, organizationId });
  if (!asked.isAllowed) throw new Failure(general.forbidden);
  return asked;
}
