import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
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
} from '../../../kernel/storage/record.ts';

/** An instance of a blueprint: the agent of one member (`delegated`) or of one organization (`autonomous`). It never changes. */
const InstanceEntity = entity({
  model: model('agent-instance'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    blueprintId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The user of a delegated instance. Like `membershipId`, it is undefined for an autonomous one. */
    userId: { type: 'string', readOnly: true },
    membershipId: { type: 'string', readOnly: true },
  },
  indexes: {
    primary: recordKey('agent-instance'),
    byCreation: creationIndex('agent-instance'),
    /** The instances in an organization, by one Query for each page. Instances of a blueprint are linked to it. */
    byOrganization: attributeIndex('agent-instance', 'organizationId'),
    owned: ownedIndex,
  },
});

export type InstanceRecord = RecordOf<typeof InstanceEntity>;

/** Instances: `get` is one GetItem, and `list` is one Query for each page, which lags by moments. */
export const instances = collection(InstanceEntity, { events: ['agent.instance.created', 'agent.instance.deleted'] });

/**
 * The unique place of an instance: its blueprint, and the member or organization for which it acts. It is read together with
 * the other rows that opening a session needs.
 */
const PlaceEntity = entity({
  model: model('agent-instance-place'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    blueprintId: { type: 'string', required: true, readOnly: true },
    /** The subject that {@link makeSubject} makes. */
    subject: { type: 'string', required: true, readOnly: true },
    instanceId: { type: 'string', required: true },
    /** A user who left an organization and joined again has another membership, and so another instance. */
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

/** Makes the text that identifies the member or organization of an instance. */
export const makeSubject = ({
  organizationId,
  userId,
}: {
  organizationId: string;
  userId?: string | undefined;
}): string => (userId === undefined ? organizationId : `${organizationId}#${userId}`);
