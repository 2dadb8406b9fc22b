import type * as z from 'zod';

import type { Issue } from '../../../kernel/errors.ts';
import type { ProviderFacts } from '../catalogue/facts.ts';
import type { SocialProviderRecord } from './entity.ts';
import type { ConfigureProvider } from './schema.ts';

type Body = z.output<typeof ConfigureProvider>;

const issue = (field: string, code: string, message: string): Issue => ({ field, code, message });

/** The new value of a member: the body's, the default if that is null, otherwise the previous one. */
export const changed = <T>(given: T | null | undefined, former: T | undefined): T | undefined =>
  given === undefined ? former : (given ?? undefined);

/** The provider's location after an update. */
export const nextLocation = (body: Body, former: SocialProviderRecord | undefined) => ({
  issuer: changed(body.issuer, former?.issuer),
  tenant: changed(body.tenant, former?.tenant),
  endpoints: changed(body.endpoints, former?.endpoints as Body['endpoints']) ?? undefined,
});

/** Reports whether an update would send a stored secret to another address than the one for which it was set. */
const isMoved = (body: Body, former: SocialProviderRecord | undefined): boolean => {
  if (former === undefined) return false;
  const { issuer, tenant } = former;
  const endpoints = former.endpoints as Body['endpoints'];
  return JSON.stringify(nextLocation(body, former)) !== JSON.stringify({ issuer, tenant, endpoints });
};

/** Describes what is wrong with a configuration, except its addresses and its key. */
export function configurationIssues(
  facts: ProviderFacts,
  body: Body,
  former: SocialProviderRecord | undefined,
): Issue[] {
  const isApple = facts.authenticateVia === 'apple';
  const proof = isApple ? 'apple' : 'client_secret';
  const needsProof = body[proof] === undefined && (former === undefined || isMoved(body, former));
  return [
    ...(former === undefined && body.client_id === undefined ? [issue('client_id', 'required', 'is required')] : []),
    ...(needsProof
      ? [issue(proof, 'required', former === undefined ? 'is required' : 'is required again when the provider moves')]
      : []),
    ...(isApple && body.client_secret !== undefined
      ? [issue('client_secret', 'invalid', 'is made from the key in `apple`')]
      : []),
    ...(!isApple && body.apple !== undefined ? [issue('apple', 'invalid', 'is for AppleOAuth')] : []),
    ...((body.tenant ?? undefined) !== undefined && !facts.issuer.includes('{tenant}')
      ? [issue('tenant', 'invalid', 'is for MicrosoftOAuth')]
      : []),
  ];
}
