import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { childKey, model, ownedAttributes, ownedIndex, recordAttributes } from '../../../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../../../kernel/storage/write.ts';
import type { OrganizationMembershipRecord } from './entity.ts';

/**
 * A membership that the person or an administrator has removed, by user and organization. Its row stays when a new membership is
 * made by an acceptance or an administrator, since only such a removal ends that one too.
 */
const EndedMembershipEntity = entity({
  model: model('ended-membership'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    userId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    /** The id is that of the organization. */
    primary: childKey('ended-membership', 'userId'),
    owned: ownedIndex,
  },
});

const ended = collection(EndedMembershipEntity, 'internal');

/** The write that records the removal of a membership. */
export const recordEnd = ({ environmentId, userId, organizationId, owner }: OrganizationMembershipRecord): Write =>
  unguarded(ended.create({ environmentId, userId, id: organizationId, owner }).write);

/**
 * Reports whether the person or an administrator has once removed the person's membership of an organization, by one strongly
 * consistent GetItem. After that only an acceptance or an administrator makes a new one.
 */
export const wasMembershipEnded = async (
  environmentId: string,
  userId: string,
  organizationId: string,
): Promise<boolean> => (await ended.get(environmentId, organizationId, { userId })) !== undefined;

/** Lists some rows of a user's removed memberships, strongly consistent. */
export const listEnds = (environmentId: string, userId: string): Promise<RecordOf<typeof EndedMembershipEntity>[]> =>
  ended.list('primary', { environmentId, userId }).take(50);

/** The write that removes such a row. */
export const removalOfEnd = (record: RecordOf<typeof EndedMembershipEntity>): Write => unguarded(ended.remove(record));
