import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { connections } from './entity.ts';
import { settingsIn } from './settings.ts';
import { stageConnectionChange } from './stage.ts';

/**
 * Sets the values of a connection's responses that count as a second factor; none for a connection whose users are always asked for one.
 * @returns false if there is no such connection
 */
export async function acceptSecondFactor(
  environmentId: string,
  connectionId: string,
  values: readonly string[],
): Promise<boolean> {
  return applyWork(environmentId, systemActor, async (unit) => {
    const record = await connections.get(environmentId, connectionId);
    const organization = record && (await findOrganization(environmentId, record.organizationId));
    if (record === undefined || organization === undefined || record.state === 'deleting') return false;
    const settings = { ...settingsIn(record), second_factor_values: [...values] };
    stageConnectionChange(unit, record, { settings }, organization);
    return true;
  });
}
