import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { GroupRoles } from '../../../tenancy/modules/group-roles/public.ts';

const DirectoryEntity = entity({
  model: model('directory'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true },
    type: { type: 'string', required: true },
    /** The part of the SCIM URL that identifies the directory. */
    externalKey: { type: 'string', required: true, readOnly: true },
    /** The state: `validating` until the first authenticated call, `inactive` while it is disabled. */
    state: { type: ['validating', 'active', 'inactive'] as const, required: true },
    /** The treatment of a user who becomes inactive: deleted in the API, or kept. */
    inactiveUsers: { type: ['delete', 'keep'] as const, required: true },
    /** The directory users who become users and members: none, those of verified domains, or all. */
    provisioning: { type: ['off', 'domain', 'all'] as const, required: true },
    /** SCIM paths by the names of the custom attributes that they fill. */
    customAttributes: { type: 'any', required: true },
    /** The roles by group, of type `GroupRoles`; an earlier one has a higher priority. */
    groupRoles: { type: 'any', required: true },
    /** A list of at most five {@link DirectoryToken}. */
    tokens: { type: 'any', required: true },
    /** The last snapshot of the directory's users. */
    snapshotId: { type: 'string' },
  },
  indexes: {
    primary: recordKey('directory'),
    byCreation: creationIndex('directory'),
    /** The directories of an organization: one Query. */
    byOrganization: attributeIndex('directory', 'organizationId'),
    owned: ownedIndex,
  },
});

type Row = RecordOf<typeof DirectoryEntity>;

/** A token of a directory, whose value is not stored. */
export interface DirectoryToken {
  id: string;
  /** SHA-256 of the token in hexadecimal. */
  hash: string;
  /** The last four characters of the token. */
  suffix: string;
  createdAt: string;
  /** The time of its expiry (ISO 8601); absent for a token that does not expire. */
  endsAt?: string | undefined;
}

/** A directory of an organization. */
export type DirectoryRecord = Omit<Row, 'tokens' | 'customAttributes' | 'groupRoles'> & {
  tokens: DirectoryToken[];
  customAttributes: Record<string, string | null>;
  groupRoles: GroupRoles;
};

/** Directories by id: `get` is one GetItem. */
export const directories = collection(DirectoryEntity, {
  events: ['dsync.activated', 'dsync.deleted', 'dsync.token.created', 'dsync.token.revoked'],
  silent: [
    'creation',
    'name',
    'type',
    'state',
    'inactiveUsers',
    'provisioning',
    'customAttributes',
    'groupRoles',
    'snapshotId',
  ],
});

/** Finds a directory of the environment by one strongly consistent GetItem. */
export const findDirectory = (environmentId: string, id: string): Promise<DirectoryRecord | undefined> =>
  directories.get(environmentId, id);

/**
 * The directory of a token, by the token's hash. A request to a SCIM URL names no environment, so this is one of the few
 * rows whose key does not begin with one.
 */
const TokenEntity = entity({
  model: model('directory-token'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    directoryId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#directory-token#${id}', casing: 'none' },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

/** The rows by which tokens are found. A directory's own row lists its tokens. */
export const tokenLocators = collection(TokenEntity, 'internal');
