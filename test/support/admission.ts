import { clock } from '../../functions/kernel/clock.ts';
import { type Authority, type Entry, may, type Verdict } from '../../functions/tenancy/modules/trust/public.ts';

/**
 * The permission with which a test opens a session, or issues a code, as a sign-in would.
 * @param organizationId the organization that is entered; none by default
 * @param proof what was proved: a password by default
 * @throws Error if the proof is not sufficient
 */
export function admit(organizationId?: string, proof: Partial<Authority[number]> = {}): Verdict<Entry> {
  const at = clock.now();
  const verdict = may([{ method: 'password', word: 'environment', at, ...proof }], {
    act: 'enter',
    organizationId,
    isMember: true,
    requiresSso: false,
    hasConnection: false,
    asksFactor: false,
    lacksFactor: false,
    covering: [],
  });
  if (!verdict.isAllowed) throw new Error(`The proof is not sufficient: ${verdict.reason}`);
  return verdict;
}
