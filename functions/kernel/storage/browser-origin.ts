import { collection, fitsKey } from './collection.ts';
import { entity } from './entity.ts';
import { ENVIRONMENT_OWNER, model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import type { Write } from './write.ts';

/**
 * An origin (RFC 6454 section 6.2) whose pages may call browser operations of an environment. A preflight names no client,
 * so all registrations of an origin are in one partition of the stage, one of the few keys that do not begin with an
 * environment. The response of an environment only depends on its own row.
 */
const BrowserOriginEntity = entity({
  model: model('browser-origin'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    origin: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['origin'], template: 'stage#browser-origin#${origin}', casing: 'none' },
      sk: { field: 'sk', composite: ['environmentId'], template: '${environmentId}', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

const browserOrigins = collection(BrowserOriginEntity, 'internal');

/** An origin of an environment, as browsers write it, and the record that registers it. */
export interface RegisteredOrigin {
  environmentId: string;
  origin: string;
  id: string;
}

const makeRow = ({ environmentId, origin, id }: RegisteredOrigin): Write =>
  browserOrigins.create({ environmentId, origin, id, owner: ENVIRONMENT_OWNER }).write;

/** Registers an origin; the write fails if the environment has it already. */
export const registerOrigin = (registered: RegisteredOrigin): Write => makeRow(registered);

/** Unregisters an origin; the write fails if another record registers it. */
export function unregisterOrigin(registered: RegisteredOrigin): Write {
  const { environmentId, origin } = registered;
  return {
    kind: 'Delete',
    params: {
      ...browserOrigins.keyOf({ environmentId, origin }),
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': registered.id },
    },
  };
}

/** Reports whether the environment has registered an origin, by one strongly consistent GetItem. */
export async function isOriginOf(environmentId: string, origin: string): Promise<boolean> {
  if (!fitsKey(origin)) return false;
  return (await browserOrigins.getAt({ environmentId, origin })) !== undefined;
}

/** Reports whether any environment of the stage has registered an origin, by one strongly consistent Query. */
export async function isOriginOfAny(origin: string): Promise<boolean> {
  if (!fitsKey(origin)) return false;
  const holders = browserOrigins.select('primary', browserOrigins.entity().query.primary({ origin }));
  return (await holders.take(1)).length > 0;
}
