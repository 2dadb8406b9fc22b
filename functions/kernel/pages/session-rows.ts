import { clock } from '../clock.ts';
import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../storage/record.ts';

/** A browser in which a user, an organization or a link (the holder) is signed in to some pages. Areas add members. */
export interface PageSession {
  /** SHA-256 of the browser's cookie. */
  hash: string;
  /** The absolute end of the session, in milliseconds since the epoch. */
  endsAt: number;
  /**
   * The time at which the session ends unless it is used before, in milliseconds since the epoch; absent if inactivity does
   * not end it.
   */
  idleEndsAt?: number | undefined;
}

/** A session with its holder: the id of a user, an organization or a link. */
export type HeldSession<S extends PageSession> = S & { holderId: string };

/** The row that has all sessions of a holder, without what pages need: every function that accepts a grant reads it. */
export function pageSessionRows<S extends PageSession>(kind: string) {
  const Entity = entity({
    model: model(kind),
    attributes: {
      ...recordAttributes,
      ...ownedAttributes,
      /** A list of {@link PageSession}, the oldest first. */
      open: { type: 'any', required: true },
    },
    indexes: { primary: recordKey(kind), owned: ownedIndex },
  });
  const rows = collection(Entity, 'internal');
  const openOf = (row: RecordOf<typeof Entity> | undefined): S[] => (row?.open ?? []) as S[];
  const isLive = ({ endsAt, idleEndsAt = Infinity }: S): boolean => Math.min(endsAt, idleEndsAt) > clock.now();
  /** Finds the sessions of a holder that have not ended, in any browser, by one strongly consistent GetItem. */
  const findLive = async (environmentId: string, holderId: string): Promise<HeldSession<S>[]> => {
    const open = openOf(await rows.get(environmentId, holderId));
    return open.filter(isLive).map((one) => ({ ...one, holderId }));
  };
  return { rows, openOf, isLive, findLive };
}
