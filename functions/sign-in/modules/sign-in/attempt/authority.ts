import { clock } from '../../../../kernel/clock.ts';
import { findOrganizations } from '../../../../tenancy/organizations/public.ts';
import {
  type Authority,
  coversAccount,
  listOrganizations,
  organizationWord,
  speaks,
} from '../../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { Attempt } from './attempt.ts';

/** The proofs of an attempt: its first one, those of earlier steps, and the second factor or code of this step. */
export function readAuthority(
  attempt: Pick<Attempt, 'authority' | 'method' | 'ssoOrganizationId' | 'authenticatedAt' | 'proofs'>,
): Authority {
  const { method, ssoOrganizationId, proofs, authenticatedAt = clock.now() } = attempt;
  const word = ssoOrganizationId === undefined ? 'environment' : organizationWord(ssoOrganizationId);
  const known: Authority = attempt.authority ?? [{ method, word, at: authenticatedAt }];
  const isByMail = proofs.emailVerified && !speaks(known, 'environment');
  const byMail: Authority = isByMail ? [{ method: 'magic_code', word: 'environment', at: clock.now() }] : [];
  const hasFactor = !proofs.mfa || known.some((proof) => proof.method === 'factor');
  return [
    ...known,
    ...byMail,
    ...(hasFactor ? [] : [{ method: 'factor', word: 'environment', at: clock.now() } as const]),
  ];
}

/** The organizations by whose word something was proved and which cover the account, by one BatchGetItem if there are any. */
export async function findCovering(authority: Authority, user: UserRecord): Promise<string[]> {
  const spoken = listOrganizations(authority);
  if (spoken.length === 0) return [];
  const found = await findOrganizations(user.environmentId, spoken);
  return [...found.values()].filter((organization) => coversAccount(organization, user)).map(({ id }) => id);
}
