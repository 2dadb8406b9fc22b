import type * as z from 'zod';

import { emailAddress } from '../../../../kernel/address.ts';
import { composeMessage } from '../../../../kernel/messages/compose.ts';
import type { Template } from '../../../../kernel/messages/template.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Write } from '../../../../kernel/storage/write.ts';
import type { UserRecord } from './entity.ts';

/**
 * Composes a mail that notifies a user, at the verified address, about a change of the account. Returns undefined if the
 * address was never verified, because it may belong to another person, or if it cannot receive mail.
 */
export async function composeNotice<Values extends z.ZodType>(
  { environmentId, id, email, emailVerified, locale }: UserRecord,
  template: Template<string, Values>,
  values: z.input<Values>,
): Promise<Write | undefined> {
  if (!emailVerified || emailAddress(email) === undefined) return undefined;
  return composeMessage({
    environmentId,
    channel: 'email',
    to: email,
    template,
    values,
    locale,
    owner: ownerKey('user', id),
  });
}
