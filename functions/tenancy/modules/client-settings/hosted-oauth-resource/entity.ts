import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  ENVIRONMENT_OWNER,
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../../kernel/storage/record.ts';
import { claim, findHolder, release, transfer, type UniqueValue } from '../../../../kernel/storage/unique.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

const HostedResourceEntity = entity({
  model: model('hosted-oauth-resource'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    uri: { type: 'string', required: true, readOnly: true },
    isDefault: { type: 'boolean', required: true },
  },
  indexes: { primary: environmentKey('hosted-oauth-resources'), owned: ownedIndex },
});

export type HostedResourceRecord = RecordOf<typeof HostedResourceEntity>;

/**
 * Hosted OAuth resources of an environment: `get` is one GetItem, and `list` by `primary` one Query, both strongly
 * consistent.
 */
export const hostedResources = collection(HostedResourceEntity, 'silent');

const uriOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'hosted_oauth_resource',
  value,
});

const defaultOf = (environmentId: string): UniqueValue => ({
  environmentId,
  kind: 'hosted_oauth_resource.default',
  value: '',
});

/** The row that makes a resource the only one with its URI. */
export const claimResource = ({ environmentId, uri, id }: HostedResourceRecord): Write =>
  claim(uriOf(environmentId, uri), id, ENVIRONMENT_OWNER);

export const releaseResource = ({ environmentId, uri, id }: HostedResourceRecord): Write =>
  release(uriOf(environmentId, uri), id);

/** The default resource, if there is one, by two GetItems. */
export async function defaultResource(environmentId: string): Promise<HostedResourceRecord | undefined> {
  const id = await findHolder(defaultOf(environmentId));
  return id === undefined ? undefined : hostedResources.get(environmentId, id);
}

/**
 * Makes a resource the default in place of the previous one. The write fails if another one became the default in the
 * meantime.
 */
export const takeDefault = ({ environmentId, id }: HostedResourceRecord, former?: HostedResourceRecord): Write =>
  transfer(defaultOf(environmentId), former?.id, id, ENVIRONMENT_OWNER);

export const giveUpDefault = ({ environmentId, id }: HostedResourceRecord): Write =>
  release(defaultOf(environmentId), id);
