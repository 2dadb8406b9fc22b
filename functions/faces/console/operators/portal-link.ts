import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { stagePortalLink } from '../../portal/public.ts';
import type { Intent } from '../../../tenancy/modules/portal-access/public.ts';
import { admitMinting } from '../../../tenancy/modules/trust/public.ts';
import { authorityOfStage } from '../link/authority.ts';
import { provideOperatorsEnvironment } from './environment.ts';

/**
 * Creates a link that opens the portal for the operators' own organization, once within five minutes: their company's domain, single
 * sign-on or directory.
 * @returns its path, below the base URL
 */
export async function createPortalLink(intent: Intent): Promise<string> {
  await provideOperatorsEnvironment();
  const verdict = admitMinting(authorityOfStage(), OPERATORS_ORGANIZATION_ID);
  return applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) =>
    stagePortalLink(unit, verdict, { environmentId: OPERATORS_ENVIRONMENT_ID, intents: [intent] }),
  );
}
