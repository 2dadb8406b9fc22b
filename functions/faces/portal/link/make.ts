import { clock } from '../../../kernel/clock.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Intent } from '../../../tenancy/modules/portal-access/public.ts';
import type { MintingVerdict } from '../../../tenancy/modules/trust/public.ts';
import { LINK_SECONDS, linkTokens, portalLinks } from './entity.ts';

/** The tasks of a new link. */
export interface NewLink {
  environmentId: string;
  intents: readonly Intent[];
  returnUrl?: string | undefined;
  successUrl?: string | undefined;
  providerType?: string | undefined;
}

/** Stages a link to the portal that can be opened once within five minutes. @returns its path, below the base URL */
export function stagePortalLink(
  unit: Pick<Unit, 'stage'>,
  { facts: { organizationId }, authority }: MintingVerdict<string>,
  { intents, ...link }: NewLink,
): string {
  const { token, id } = linkTokens.mint(link.environmentId);
  const { write } = portalLinks.create({
    ...link,
    id,
    organizationId,
    owner: ownerKey('organization', organizationId),
    proofs: authority,
    intents: [...intents],
    expiresAt: clock.seconds() + LINK_SECONDS,
  });
  unit.stage(write);
  return `/portal/links/${token}`;
}
