import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../storage/record.ts';
import type { OperatorPermission } from './operator-permission.ts';

/** The rights of an operator in one environment. */
export interface OperatorRights {
  permissions: readonly OperatorPermission[];
  /** The slugs of the roles from which the permissions follow. */
  roles: readonly string[];
  /** The hash of the console session's cookie. */
  sessionHash: string;
  /** The session of the operator's own user, with which the console's ends; absent in a session by a link. */
  sessionId?: string | undefined;
  /** The address of the operator's browser. */
  address: string;
  /** The time until which the operator's last proof of identity counts for a step-up, in milliseconds since the epoch. */
  steppedUpUntil: number;
  /** Present for the grant of an export, which allows one list only. */
  only?: OnlyCall | undefined;
}

/** The one call that a grant allows, in any number of pages: a list with its parameters and its filter. */
export interface OnlyCall {
  /** The id of the operation. */
  operation: string;
  params: Readonly<Record<string, string>>;
  /** The members of the query, without those of the page. */
  query: Readonly<Record<string, string>>;
}

/** A grant of an operator: its id is the hash of its value, so that the presented value finds it with one GetItem. */
const GrantEntity = entity(
  ownedRecord('grant', {
    ...expiringAttributes,
    /** The {@link OperatorRights}. */
    operator: { type: 'any' },
    actorId: { type: 'string', required: true },
    actorName: { type: 'string' },
  }),
);

export type GrantRecord = RecordOf<typeof GrantEntity>;
export const grants = collection(GrantEntity, 'internal');
