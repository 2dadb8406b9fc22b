import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { DAY_SECONDS } from '../../../kernel/durations.ts';
import { newUlid } from '../../../kernel/ids.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { ENVIRONMENT_OWNER, expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import type { Visit } from '../page/visit.ts';
import { deriveSecret } from '../session/secret.ts';
import type { Bulk } from './lines.ts';

/** An act on many records, which its operator continues until it is done. Its lines are encrypted. */
const BulkEntity = entity(
  ownedRecord('console-bulk', {
    ...expiringAttributes,
    /** The operator who began it. */
    userId: { type: 'string', required: true, readOnly: true },
    /** The environment of its records. */
    target: { type: 'string', required: true, readOnly: true },
    /** The path of its page, without its id. */
    path: { type: 'string', required: true, readOnly: true },
    sealed: { type: 'any', required: true },
  }),
);

const rows = collection(BulkEntity, 'internal');

const makeInfo = (id: string): string => `console-bulk ${OPERATORS_ENVIRONMENT_ID} ${id}`;

/** The key of the lines, which only the function of the console can compute. It is not that of a cookie, since a step-up replaces the cookie. */
const makeKey = async (id: string): Promise<string[]> => [await deriveSecret(makeInfo(id))];

const seal = async (id: string, bulk: Bulk): Promise<Uint8Array> =>
  derivedSeal(await makeKey(id), makeInfo(id), JSON.stringify(bulk));

/** An act on many records, as it was read. */
export interface StoredBulk {
  id: string;
  bulk: Bulk;
  /** Stores its next state. @returns false if another request has changed it since it was read, and then nothing is stored */
  save: (next: Bulk) => Promise<boolean>;
}

type Place = Pick<Visit, 'operator' | 'environment'>;

/** Stores a new act on many records. @param path the path of its page, without its id @returns its id */
export async function storeBulk({ operator, environment }: Place, path: string, bulk: Bulk): Promise<string> {
  const id = newUlid();
  const unit = new Unit(OPERATORS_ENVIRONMENT_ID, systemActor);
  const { write } = rows.create({
    environmentId: OPERATORS_ENVIRONMENT_ID,
    id,
    owner: ENVIRONMENT_OWNER,
    userId: operator.id,
    target: environment?.id ?? '',
    path,
    sealed: await seal(id, bulk),
    expiresAt: clock.seconds() + DAY_SECONDS,
  });
  unit.stage(write);
  if ((await unit.commit()).kind !== 'committed') throw new Error('The id of an act on many records is taken');
  return id;
}

/**
 * Finds an act on many records, for a day, for the operator who began it, in its environment and on its page.
 * @param path the path of its page, without its id
 */
export async function findBulk(
  { operator, environment }: Place,
  path: string,
  id: string,
): Promise<StoredBulk | undefined> {
  if (!/^[0-9A-Z]{26}$/.test(id)) return undefined;
  const row = await rows.get(OPERATORS_ENVIRONMENT_ID, id);
  const isOwn = row?.userId === operator.id && row.target === environment?.id && row.path === path;
  if (!isOwn || (row.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const text = derivedOpen(await makeKey(id), makeInfo(id), row.sealed as Uint8Array);
  let current = row;
  return {
    id,
    bulk: JSON.parse(Buffer.from(text).toString('utf8')) as Bulk,
    async save(next) {
      const unit = new Unit(OPERATORS_ENVIRONMENT_ID, systemActor);
      const { record, write } = rows.revise(current, { sealed: await seal(id, next) });
      unit.stage(write);
      const isSaved = (await unit.commit()).kind === 'committed';
      if (isSaved) current = record;
      return isSaved;
    },
  };
}
