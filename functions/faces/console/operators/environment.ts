import { newEnvironment } from '../../../kernel/authentication/api-key.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization, stageOrganization } from '../../../tenancy/organizations/public.ts';
import { listHolders } from '../../../tenancy/modules/role-holders/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { Failure, general } from '../../../kernel/errors.ts';

const NAME = 'Operators';

/**
 * Creates the environment of the operators with its organization, unless they exist. It takes two reads if they do.
 */
export async function provideOperatorsEnvironment(): Promise<void> {
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit: Unit) => {
    const [environment, organization] = await awaitAll([
      environments.get(OPERATORS_ENVIRONMENT_ID, OPERATORS_ENVIRONMENT_ID),
      findOrganization(OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID),
    ]);
    if (environment === undefined) {
      const { record } = newEnvironment(NAME, readUlid(OPERATORS_ENVIRONMENT_ID));
      unit.stage(environments.create({ ...record, kind: 'operators' }).write);
    }
    if (organization === undefined) await stageOperatorsOrganization(unit);
  });
}

async function stageOperatorsOrganization(unit: Unit): Promise<void> {
  const impossible = new Failure(general.fault);
  await stageOrganization(
    unit,
    {
      environmentId: OPERATORS_ENVIRONMENT_ID,
      id: OPERATORS_ORGANIZATION_ID,
      name: NAME,
      domains: [],
      metadata: {},
      allowProfilesOutsideOrganization: false,
    },
    { taken: impossible, externalIdTaken: impossible, invalid: () => impossible },
  );
}

/** The memberships that have the role `owner` for all environments, at most so many, by the rows of holders. */
export async function findOwners(most: number): Promise<Awaited<ReturnType<typeof listHolders>>['records']> {
  const owner = (await loadModel(OPERATORS_ENVIRONMENT_ID)).rolesBySlug.get('owner');
  if (owner === undefined) return [];
  const place = { environmentId: OPERATORS_ENVIRONMENT_ID, organizationId: OPERATORS_ORGANIZATION_ID };
  return (await listHolders({ ...place, roleId: owner.id, kind: 'membership', limit: most })).records;
}
