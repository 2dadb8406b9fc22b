import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../../kernel/storage/record.ts';
import { ACTION_TYPES } from '../settings.ts';

/** Seconds for which an execution is kept. */
export const KEPT_SECONDS = 30 * 86_400;

/** A request to an action endpoint that denied or failed. Those that allowed are only counted in the log. */
const ActionExecutionEntity = entity({
  model: model('action-execution'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    endpointId: { type: 'string', required: true, readOnly: true },
    type: { type: ACTION_TYPES, required: true },
    verdict: { type: ['Allow', 'Deny'] as const, required: true },
    failure: { type: 'string' },
    errorMessage: { type: 'string' },
    status: { type: 'number' },
    durationMs: { type: 'number', required: true },
    userId: { type: 'string' },
    organizationId: { type: 'string' },
    email: { type: 'string', required: true },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
  },
  indexes: {
    /** The executions of an endpoint: one strongly consistent Query for each page. */
    primary: childKey('action-execution', 'endpointId'),
    /** An execution is erased with its user, or with the environment if it was about a registration. */
    owned: ownedIndex,
  },
});

export type ActionExecutionRecord = RecordOf<typeof ActionExecutionEntity>;
export const actionExecutions = collection(ActionExecutionEntity, 'silent');
