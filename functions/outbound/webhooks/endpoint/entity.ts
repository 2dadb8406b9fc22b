import { createHash } from 'node:crypto';

import { signingSecrets } from '../../../kernel/keys/signing-secrets.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/**
 * An endpoint. All endpoints of an environment are in one partition of the base table, so that they are read with one strongly consistent
 * Query. Events read only the version of the set (`set.ts`), so an endpoint receives the events from its creation on, and
 * none after its deletion.
 */
const EndpointEntity = entity({
  model: model('webhook-endpoint'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    url: { type: 'string', required: true },
    status: { type: ['enabled', 'disabled'] as const, required: true },
    disabledReason: { type: ['request', 'gone', 'failing'] as const },
    events: { type: 'list', items: { type: 'string' }, required: true },
    /** The secret, encrypted. */
    secret: { type: 'any', required: true },
    /** The next secret, encrypted; present during a rotation and, until the next write, after it. */
    nextSecret: { type: 'any' },
    /** The time when the next secret replaces the current one. */
    nextSecretAt: { type: 'string' },
  },
  indexes: {
    primary: childKey('webhook-endpoints'),
    /** An endpoint is erased with its environment. Deliveries and health rows expire by themselves. */
    owned: ownedIndex,
  },
});

/** Maximum endpoints of one environment, because every event reads them all. */
export const MAX_ENDPOINTS = 100;

/** The secrets with which the events for an endpoint are signed. */
export const endpointSecrets = signingSecrets(keyPurpose('webhook-secret'));

/** The owner that an endpoint is erased with. */
export const endpointOwner = ENVIRONMENT_OWNER;

export type EndpointRecord = RecordOf<typeof EndpointEntity>;
export const endpoints = collection(EndpointEntity, 'silent');

/** All endpoints of an environment, by one strongly consistent Query (up to 1 MB, which a hundred endpoints do not fill). */
export const findEndpoints = (environmentId: string): Promise<readonly EndpointRecord[]> =>
  endpoints.list('primary', { environmentId }).toArray();

/** Endpoints of a page, by one strongly consistent Query. */
export const listEndpoints = (environmentId: string, window: Window): Promise<Reading<EndpointRecord>> =>
  endpoints.list('primary', { environmentId }).toPage(window);

/**
 * The unique value of a URL, which can belong to one endpoint of an environment. The key is a digest, because a key must be
 * shorter than a URL may be.
 */
export const makeUrl = (environmentId: string, url: string): UniqueValue => ({
  environmentId,
  kind: 'webhook-endpoint.url',
  value: createHash('sha256').update(new URL(url).href).digest('hex'),
});
