import { DAY_SECONDS } from '../../../kernel/durations.ts';
import { clock } from '../../../kernel/clock.ts';
import { changedMembers } from '../../../kernel/events/previous.ts';
import { newId } from '../../../kernel/ids.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { addresses, findAddress, findSuppression, type SuppressionRecord, suppressions } from './entity.ts';
import { presentSuppression } from './schema.ts';

/**
 * Time in seconds for which an address is suppressed. Mailboxes can work again, so it is half a year after a bounce; it is
 * two years after a complaint.
 */
const KEPT_SECONDS = { bounce: 180 * DAY_SECONDS, complaint: 730 * DAY_SECONDS } as const;

/** The data of a new suppression. */
export interface NewSuppression {
  environmentId: string;
  email: string;
  /** The hash of the address in the table, made by `recipientHash`. */
  recipient: string;
  reason: 'bounce' | 'complaint';
  /** True if another party caused the mail, so that mail about the reader's own sign-in and account is still sent. */
  sparesOwn?: boolean;
  detail?: string | undefined;
  messageId: string;
}

type SuppressionEvents = 'email_suppression.created' | 'email_suppression.updated' | 'email_suppression.deleted';

/**
 * Suppresses an address from the commit of the unit of work on. The suppression of an address that is already suppressed is
 * kept, but a complaint replaces a bounce, because it lasts longer, and one for all mail replaces one that spares the reader's own. It
 * reads one or two rows.
 * @returns the id of the suppression
 */
export async function stageSuppression(unit: Unit<SuppressionEvents>, wanted: NewSuppression): Promise<string> {
  const { environmentId, recipient, email, sparesOwn = false, ...cause } = wanted;
  const address = await findAddress(environmentId, recipient);
  const former = address && (await findSuppression(environmentId, address.suppressionId));
  const expiresAt = clock.seconds() + KEPT_SECONDS[wanted.reason];
  if (address !== undefined && former !== undefined) {
    const isWider = address.sparesOwn === true && !sparesOwn;
    const isLonger = wanted.reason === 'complaint' && former.reason === 'bounce' && !sparesOwn;
    if (!isWider && !isLonger) return former.id;
    const { record, write } = suppressions.revise(former, { ...cause, detail: cause.detail, expiresAt });
    unit.stage([write, addresses.revise(address, { expiresAt, sparesOwn: undefined }).write]);
    const [before, after] = [presentSuppression(former), presentSuppression(record)];
    unit.emit('email_suppression.updated', after, { previousAttributes: changedMembers(before, after) });
    return record.id;
  }
  const id = newId('email_suppression');
  const shared = { environmentId, owner: ENVIRONMENT_OWNER, expiresAt };
  const { record, write } = suppressions.create({ ...shared, id, email, ...cause });
  unit.stage([
    write,
    inPlaceOfExpired(addresses.create({ ...shared, id: recipient, suppressionId: id, sparesOwn }).write),
  ]);
  unit.emit('email_suppression.created', presentSuppression(record));
  return id;
}

/**
 * Removes a suppression, so that mail is sent to the address again from the commit of the unit of work on. It reads one
 * row.
 */
export async function stageLift(
  unit: Unit<SuppressionEvents>,
  record: SuppressionRecord,
  recipient: string,
): Promise<void> {
  const address = await addresses.get(record.environmentId, recipient);
  unit.stage(suppressions.remove(record));
  if (address?.suppressionId === record.id) unit.stage(addresses.remove(address));
  unit.emit('email_suppression.deleted', presentSuppression(record));
}
