import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../../kernel/storage/record.ts';

/** An agent of a blueprint: for a membership (`delegated`) or for an organization (`autonomous`). It never changes. */
const InstanceEntity = entity({
  model: model('agent-instance'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    blueprintId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The user of a delegated instance; undefined for an autonomous one, like `membershipId`. */
    userId: { type: 'string', readOnly: true },
    membershipId: { type: 'string', readOnly: true },
  },
  indexes: {
    primary: recordKey('agent-instance'),
    byCreation: creationIndex('agent-instance'),
    /** Instances in an organization: one Query a page. Instances of a blueprint are linked to it. */
    byOrganization: attributeIndex('agent-instance', 'organizationId'),
    owned: ownedIndex,
  },
});

export type InstanceRecord = RecordOf<typeof InstanceEntity>;

/** Instances: `get` one GetItem, `list` one Query a page, which lags by moments. */
export const instances = collection(InstanceEntity, { events: ['agent.instance.created', 'agent.instance.deleted'] });

/**
 * The instance of a blueprint for a user in an organization, or for an organization: it makes the pair unique and finds its
 * instance with the reads of a mint.
 */
const PlaceEntity = entity({
  model: model('agent-instance-place'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    blueprintId: { type: 'string', required: true, readOnly: true },
    /** See {@link makeSubject}. */
    subject: { type: 'string', required: true, readOnly: true },
    instanceId: { type: 'string', required: true },
    /** A user who left and came back has another membership, and so another instance. */
    membershipId: { type: 'string' },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'agent-instance-place', 'blueprintId', 'subject'),
      sk: sortedBy('sk'),
    },
    owned: ownedIndex,
  },
});

export type PlaceRecord = RecordOf<typeof PlaceEntity>;

export const places = collection(PlaceEntity, 'internal');

/** The subject of an instance's place. */
export const makeSubject = ({
  organizationId,
  userId,
}: {
  organizationId: string;
  userId?: string | undefined;
}): string => (userId === undefined ? organizationId : `${organizationId}#${userId}`);
