import { isOwnCause, type MessageCause } from '../../../kernel/messages/cause.ts';
import { recipientHash } from '../../../kernel/messages/entity.ts';
import { clock } from '../../../kernel/clock.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  creationIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
  ownedRecord,
} from '../../../kernel/storage/record.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';

const SuppressionEntity = entity({
  model: model('email-suppression'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** The address as it was when mail was sent to it. */
    email: { type: 'string', required: true, readOnly: true },
    reason: { type: ['bounce', 'complaint'] as const, required: true },
    /** The details in the report of SES: the subtype of a bounce, the kind of a complaint. */
    detail: { type: 'string' },
    /** The id of the message that bounced or caused the complaint. */
    messageId: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKey('email-suppression'),
    byCreation: creationIndex('email-suppression'),
    owned: ownedIndex,
  },
});

/** The state of an address, by its `recipientHash`: its current suppression, with which it expires. */
const AddressEntity = entity(
  ownedRecord('email-address', {
    ...expiringAttributes,
    suppressionId: { type: 'string', required: true },
    /** True after a complaint about a mail that another party caused: mail about the reader's own sign-in and account is still sent. */
    sparesOwn: { type: 'boolean' },
  }),
);

export type SuppressionRecord = RecordOf<typeof SuppressionEntity>;
export type AddressRecord = RecordOf<typeof AddressEntity>;
export const suppressions = collection(SuppressionEntity, {
  events: ['email_suppression.created', 'email_suppression.updated', 'email_suppression.deleted'],
});
export const addresses = collection(AddressEntity, 'internal');

/** Reports whether a row has not expired; DynamoDB deletes expired rows days late. */
export const isKept = ({ expiresAt }: { expiresAt?: number }): boolean => (expiresAt ?? 0) > clock.seconds();

/** A suppression that is in effect, by one strongly consistent GetItem. */
export async function findSuppression(environmentId: string, id: string): Promise<SuppressionRecord | undefined> {
  const found = await suppressions.get(environmentId, id);
  return found !== undefined && isKept(found) ? found : undefined;
}

/**
 * The state of a suppressed address, by one strongly consistent GetItem.
 * @param recipient the hash made by `recipientHash`
 */
export async function findAddress(environmentId: string, recipient: string): Promise<AddressRecord | undefined> {
  const found = await addresses.get(environmentId, recipient);
  return found !== undefined && isKept(found) ? found : undefined;
}

/** The suppression of an address in any spelling, by two strongly consistent GetItems in sequence, or one if it has none. */
export async function findAddressSuppression(
  environmentId: string,
  email: string,
): Promise<SuppressionRecord | undefined> {
  const address = await findAddress(environmentId, recipientHash(environmentId, email));
  return address && findSuppression(environmentId, address.suppressionId);
}

/** Reports whether a suppressed address gets no mail of a cause. */
export const isSuppressedFor = ({ sparesOwn = false }: AddressRecord, cause: MessageCause | undefined): boolean =>
  !sparesOwn || !isOwnCause(cause);

/**
 * Reports whether an environment sends no mail about their own account to the reader of an address, because an earlier one came back or
 * its reader complained. It takes one strongly consistent GetItem.
 */
export async function isSuppressed(environmentId: string, email: string): Promise<boolean> {
  const address = await findAddress(environmentId, recipientHash(environmentId, email));
  return address !== undefined && isSuppressedFor(address, 'own_account');
}

/**
 * A page of the suppressions of an environment, by one Query (eventually consistent). It is shorter if some have expired.
 */
export async function listSuppressions(environmentId: string, window: Window): Promise<Reading<SuppressionRecord>> {
  const { records, ...rest } = await suppressions.list('byCreation', { environmentId }).toPage(window);
  return { records: records.filter(isKept), ...rest };
}
