import { newId } from '../../../kernel/ids.ts';
import { claimKey, generatedKey, isImportableKey, releaseKey } from '../../../kernel/storage/external-key.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { newCounts, removalOfCounts } from './counts.ts';
import { directories, type DirectoryRecord, tokenLocators } from './entity.ts';
import { directoryEnd } from './end.ts';
import { SEARCH_KIND } from './find.ts';
import { directoryPayload } from './schema.ts';

/** The data of a new directory. */
export type NewDirectory = Pick<
  DirectoryRecord,
  | 'environmentId'
  | 'organizationId'
  | 'name'
  | 'type'
  | 'inactiveUsers'
  | 'provisioning'
  | 'customAttributes'
  | 'groupRoles'
> & { externalKey?: string | undefined };

const indexName = ({ environmentId, id, organizationId }: DirectoryRecord, former: string, next: string): Write[] =>
  indexText({ environmentId, kind: SEARCH_KIND, id, owner: ownerKey('organization', organizationId) }, former, next);

/**
 * Stages a new directory, which is `validating` until its first call.
 * @param taken rejects the call if another record of the stage has the imported key
 */
export function stageDirectory(unit: Pick<Unit, 'stage'>, directory: NewDirectory, taken: Failure): DirectoryRecord {
  const { environmentId, organizationId } = directory;
  const id = newId('directory');
  const owner = ownerKey('organization', organizationId);
  const { externalKey = generatedKey(environmentId, id), ...fields } = directory;
  const { record, write } = directories.create({ ...fields, id, owner, externalKey, state: 'validating', tokens: [] });
  const made = record as DirectoryRecord;
  unit.stage([write, ...newCounts(environmentId, id, owner), ...indexName(made, '', made.name)]);
  if (directory.externalKey !== undefined) {
    unit.stage(claimKey(made, externalKey, owner), taken);
  }
  return made;
}

/** The members of a directory that {@link stageDirectoryChange} changes. */
export type DirectoryChanges = Partial<
  Pick<
    DirectoryRecord,
    'name' | 'type' | 'state' | 'inactiveUsers' | 'provisioning' | 'customAttributes' | 'groupRoles'
  >
>;

/** Stages a directory's new state, with `dsync.activated` if it becomes active. */
export function stageDirectoryChange(
  unit: Unit<'dsync.activated'>,
  former: DirectoryRecord,
  changes: DirectoryChanges,
  organization: OrganizationSummary | undefined,
): DirectoryRecord {
  const { record, write } = directories.revise(former, changes);
  const next = record as DirectoryRecord;
  unit.stage([write, ...indexName(next, former.name, next.name)]);
  if (next.state === 'active' && former.state !== 'active') {
    const { id: organizationId, external_key, domains } = activation(next, organization);
    unit.emit('dsync.activated', { ...directoryPayload(next), external_key, domains }, { organizationId });
  }
  return next;
}

const activation = (
  { externalKey, organizationId }: DirectoryRecord,
  organization: OrganizationSummary | undefined,
) => ({
  id: organizationId,
  external_key: externalKey,
  domains: (organization?.presented.domains ?? []).map(({ id, domain }) => ({
    object: 'organization_domain' as const,
    id,
    domain,
  })),
});

/**
 * Stages the activation of a directory by its first call, with `dsync.activated`. It has no effect on a directory that is
 * active.
 */
export async function stageActivation(
  unit: Unit<'dsync.activated'>,
  directory: DirectoryRecord,
): Promise<DirectoryRecord> {
  if (directory.state !== 'validating') return directory;
  const organization = await findOrganization(directory.environmentId, directory.organizationId);
  return stageDirectoryChange(unit, directory, { state: 'active' }, organization);
}

/**
 * Stages the deletion of a directory with `dsync.deleted`. Its tokens are invalid from the commit on, and a worker removes
 * its resources.
 */
export function stageEndOfDirectory(unit: Unit<'dsync.deleted'>, directory: DirectoryRecord): void {
  const { environmentId, id, organizationId, externalKey, tokens } = directory;
  unit.stage([
    directories.remove(directory),
    ...removalOfCounts(environmentId, id),
    ...indexName(directory, directory.name, ''),
    ...tokens.map(({ hash }) => tokenLocators.removeByKey({ id: hash })),
    ...(isImportableKey(externalKey) ? [releaseKey(directory, externalKey)] : []),
  ]);
  directoryEnd.stage(unit, environmentId, { directoryId: id }, ownerKey('organization', organizationId));
  unit.emit('dsync.deleted', directoryPayload(directory, 'deleting'), { organizationId });
}
