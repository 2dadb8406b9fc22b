import { writeMembership, writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

/** Creates an active member. */
async function member({ environmentId, create }: Api): Promise<{ user_id: string; organization_id: string }> {
  const organizationId = String((await create('/organizations', { name: 'Acme' })).id);
  const userId = await writeUser(environmentId);
  await writeMembership(environmentId, { userId, organizationId });
  return { user_id: userId, organization_id: organizationId };
}

export const widgetSamples: AreaSamples = {
  bodies: { 'widgets.token': member, 'client.token': member },
};
