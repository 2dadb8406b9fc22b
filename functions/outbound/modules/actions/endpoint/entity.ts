import { signingSecrets } from '../../../../kernel/keys/signing-secrets.ts';
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
import { ACTION_TYPES } from '../settings.ts';
import { keyPurpose } from '../../../../kernel/keys/key-wrapper.ts';

/** An endpoint that is asked before sign-ins or registrations; an environment has one of each type. */
const ActionEndpointEntity = entity({
  model: model('action-endpoint'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    type: { type: ACTION_TYPES, required: true, readOnly: true },
    url: { type: 'string', required: true },
    status: { type: ['enabled', 'disabled'] as const, required: true },
    /** The verdict if the endpoint does not respond correctly in time. */
    onFailure: { type: ['allow', 'deny'] as const, required: true },
    timeoutMs: { type: 'number', required: true },
    /** The secret, encrypted. */
    secret: { type: 'any', required: true },
    /** The next secret, encrypted; present during a rotation and, until the next write, after it. */
    nextSecret: { type: 'any' },
    /** The time when the next secret replaces the current one. */
    nextSecretAt: { type: 'string' },
  },
  indexes: {
    /** The endpoints of an environment: one strongly consistent GetItem, or one Query for all of them. */
    primary: environmentKey('action-endpoint'),
    owned: ownedIndex,
  },
});

export type ActionEndpointRecord = RecordOf<typeof ActionEndpointEntity>;
export const actionEndpoints = collection(ActionEndpointEntity, 'silent');

/** The owner that an endpoint is erased with. */
export const actionEndpointOwner = ENVIRONMENT_OWNER;

/** The secrets with which requests to an endpoint, and its responses, are signed. */
export const actionSecrets = signingSecrets(keyPurpose('action-secret'));
