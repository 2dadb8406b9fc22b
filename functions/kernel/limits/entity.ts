import { collection } from '../storage/collection.ts';
import { entity } from '../storage/entity.ts';
import { model, recordKey } from '../storage/record.ts';

/**
 * The number of attempts since the window began. Rows of counters have no version and no timestamps: they are only changed
 * by conditional updates, never read and written back.
 */
const AttemptsEntity = entity({
  model: model('attempts'),
  attributes: {
    environmentId: { type: 'string', required: true, readOnly: true },
    /** The SHA-256 of the limit's name and the key, so that the row does not reveal the key. */
    id: { type: 'string', required: true, readOnly: true },
    count: { type: 'number', required: true },
    /** End of the window in milliseconds since the epoch. */
    endsAt: { type: 'number', required: true },
    /**
     * The end of the window in seconds, for DynamoDB's own deletion. That may be days late, so no code reads this
     * attribute.
     */
    expiresAt: { type: 'number', required: true },
  },
  indexes: { primary: recordKey('attempts') },
});

/** A lease for work that must not run concurrently. */
const LeaseEntity = entity({
  model: model('lease'),
  attributes: {
    environmentId: { type: 'string', required: true, readOnly: true },
    /** The lease's name. */
    id: { type: 'string', required: true, readOnly: true },
    /** A random text of the call that took the lease last. */
    holder: { type: 'string', required: true },
    /** The time in ms when the lease was taken last, which is greater for each holder. */
    fence: { type: 'number', required: true },
    /** The time until which it is held, in milliseconds; equal to `fence` after it was released. */
    until: { type: 'number', required: true },
    expiresAt: { type: 'number', required: true },
  },
  indexes: { primary: recordKey('lease') },
});

const attemptRows = collection(AttemptsEntity, 'internal');
const leaseRows = collection(LeaseEntity, 'internal');

/** Reads a counter by one strongly consistent GetItem. */
export const findAttempts = (environmentId: string, id: string) => attemptRows.get(environmentId, id);

/** Counts an attempt if the window has not ended and has room, or if there is no window yet. It costs one write unit. */
export const countAttempt = (environmentId: string, id: string, limit: number, now: number, endsAt: number) =>
  attemptRows
    .entity()
    .update({ environmentId, id })
    .data((row, { add, ifNotExists }) => {
      add(row.count, 1);
      ifNotExists(row.endsAt, endsAt);
      ifNotExists(row.expiresAt, Math.ceil(endsAt / 1_000));
    })
    .where(
      (row, { notExists, gt, lt }) => `${notExists(row.id)} OR (${gt(row.endsAt, now)} AND ${lt(row.count, limit)})`,
    )
    .params();

/** Opens a new window in place of an ended one, with one attempt in it. */
export const restartAttempts = (environmentId: string, id: string, now: number, endsAt: number) =>
  attemptRows
    .entity()
    .update({ environmentId, id })
    .set({ count: 1, endsAt, expiresAt: Math.ceil(endsAt / 1_000) })
    .where((row, { lte }) => lte(row.endsAt, now))
    .params();

/** Takes one attempt back, if the current window has one. */
export const uncountAttempt = (environmentId: string, id: string, now: number) =>
  attemptRows
    .entity()
    .update({ environmentId, id })
    .add({ count: -1 })
    .where((row, { gt }) => `${gt(row.endsAt, now)} AND ${gt(row.count, 0)}`)
    .params();

/** Deletes a counter with all of its attempts. */
export const removeAttempts = (environmentId: string, id: string) =>
  attemptRows.entity().delete({ environmentId, id }).params();

/**
 * Takes a free lease. The time must be strictly later than the time at which the lease was last taken, and than the end of
 * that lease. So the fence, which is the time of taking, is greater for each holder, even if their clocks differ.
 */
export const takeLease = (environmentId: string, id: string, taken: { holder: string; fence: number; until: number }) =>
  leaseRows
    .entity()
    .update({ environmentId, id })
    // The row is kept a day longer than the lease, so that the next holder's fence is compared with the last one's.
    .set({ ...taken, expiresAt: Math.ceil(taken.until / 1_000) + 86_400 })
    .where((row, { notExists, lt }) => `${notExists(row.id)} OR ${lt(row.until, taken.fence)}`)
    .params();

/** Releases a lease if the given holder still has it. */
export const returnLease = (environmentId: string, id: string, held: { holder: string; fence: number }) =>
  leaseRows
    .entity()
    .update({ environmentId, id })
    .set({ until: held.fence })
    .where((row, { eq }) => eq(row.holder, held.holder))
    .params();
