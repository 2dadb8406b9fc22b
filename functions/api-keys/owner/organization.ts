import { Memory } from '../../kernel/memory.ts';
import { settings } from '../../kernel/settings.ts';
import { findOrganization } from '../../organizations/public.ts';

/** Organizations that were there a moment ago. Those that were not are not kept: an answer "gone" is always fresh. */
const alive = new Memory<true>(10_000);

/**
 * Whether an organization is there. Asked at most once in five seconds (GATEHOUSE_CREDENTIAL_CACHE_MS) for each
 * organization and instance: the bound within which the keys of a deleted one stop, however long the removal of their
 * rows takes.
 */
export async function isAlive(environmentId: string, organizationId: string): Promise<boolean> {
  const place = `${environmentId}#${organizationId}`;
  if (alive.get(place)) return true;
  if ((await findOrganization(environmentId, organizationId)) === undefined) return false;
  alive.set(place, true, settings().GATEHOUSE_CREDENTIAL_CACHE_MS);
  return true;
}
