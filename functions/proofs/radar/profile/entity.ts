import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { model, recordKey } from '../../../kernel/storage/record.ts';
import { updateReturning } from '../../../kernel/storage/returning.ts';
import type { Write, WriteParams } from '../../../kernel/storage/write.ts';
import type { Row } from './windows.ts';

/**
 * The counts of a subject (a mailbox, a network or a device), and of a mailbox the devices and networks of its
 * successes. The row has further attributes: buckets (`windows.ts`), and `k_…` and `n_…`, hashes of devices and networks
 * with the second of the last success. It is only changed by unconditional updates, so it has no version.
 */
const ProfileEntity = entity({
  model: model('radar-profile'),
  attributes: {
    environmentId: { type: 'string', required: true, readOnly: true },
    /** SHA-256 of the subject, so that the row does not reveal it. */
    id: { type: 'string', required: true, readOnly: true },
    expiresAt: { type: 'number', required: true },
    /** The time of a mailbox's last success, in milliseconds, and its location in degrees. */
    lastSuccessAt: { type: 'number' },
    lastCountry: { type: 'string' },
    lastLatitude: { type: 'number' },
    lastLongitude: { type: 'number' },
  },
  indexes: { primary: recordKey('radar-profile') },
});

const profiles = collection(ProfileEntity, 'internal');

/** The kinds of subjects. */
export type SubjectKind = 'email' | 'network' | 'device';

/** The id of a subject's row. */
export const subjectId = (environmentId: string, kind: SubjectKind, subject: string): string =>
  sha256Hex(JSON.stringify([environmentId, kind, subject]));

/** The changes of one UpdateItem. */
export interface ProfileChange {
  /** Attributes of the entity, and its time to live in seconds since the epoch. */
  set: { expiresAt: number } & Record<string, number | string | undefined>;
  /** Numbers and sets to which values are added. */
  add?: Readonly<Record<string, number | ReadonlySet<number>>>;
  remove?: readonly string[];
}

/** The UpdateItem of a subject's row, which is created if there is none. */
export function profileUpdate(environmentId: string, id: string, { set, add = {}, remove = [] }: ProfileChange): Write {
  const params = profiles
    .entity()
    .update({ environmentId, id })
    .set({ expiresAt: set.expiresAt })
    .params<WriteParams>();
  const names: Record<string, string> = { ...params.ExpressionAttributeNames };
  const values: Record<string, unknown> = { ...params.ExpressionAttributeValues };
  const named = (attribute: string): string => {
    const name = `#x${Object.keys(names).length}`;
    names[name] = attribute;
    return name;
  };
  const valued = (value: unknown): string => {
    const name = `:x${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const given = Object.entries(set).filter(([name, value]) => name !== 'expiresAt' && value !== undefined);
  const parts = [
    params.UpdateExpression ?? '',
    given.map(([name, value]) => `, ${named(name)} = ${valued(value)}`).join(''),
    ...clause(
      'ADD',
      Object.entries(add).map(([name, value]) => `${named(name)} ${valued(value)}`),
    ),
    ...clause('REMOVE', remove.map(named)),
  ];
  const { ConditionExpression: _none, ...rest } = params;
  return {
    kind: 'Update',
    params: {
      ...rest,
      UpdateExpression: parts.join(''),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
}

const clause = (verb: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [` ${verb} ${items.join(', ')}`];

/** Sends an update and returns the row after it: one write unit for each KB. */
export const updateProfile = ({ params }: Write): Promise<Row> => updateReturning(params);
