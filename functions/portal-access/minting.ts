import type { Caller } from '../kernel/authentication/caller.ts';
import { clock } from '../kernel/clock.ts';
import { Failure, general } from '../kernel/errors.ts';
import { type Authority, may, type Minting, operatorWord, type Verdict } from '../trust/public.ts';

/** The permission to make a link, a session or a grant that acts for an organization. */
export type PortalVerdict = Verdict<Minting & { organizationId: string }>;

/** By whose word a caller of the API makes something: that of the environment for its key, of the operator for the console. */
export const authorityOfCaller = ({ operator, actor }: Pick<Caller, 'operator' | 'actor'>): Authority => [
  { method: 'api_key', word: operator === undefined ? 'environment' : operatorWord(actor.id), at: clock.now() },
];

/** Asks whether an authority may act for an organization. @throws Failure 403 */
export function admitMinting(authority: Authority, organizationId: string): PortalVerdict {
  const asked = may(authority, { act: 'mint' as const, organizationId });
  if (!asked.isAllowed) throw new Failure(general.forbidden);
  return asked;
}
