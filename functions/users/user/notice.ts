import type * as z from 'zod';

import { emailAddress } from '../../kernel/address.ts';
import { composeMessage } from '../../kernel/messages/compose.ts';
import type { Template } from '../../kernel/messages/template.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Write } from '../../kernel/storage/write.ts';
import type { UserRecord } from './entity.ts';

/**
 * Composes a mail that tells a user, at the address that they have proved, what happened to their account. Undefined where nobody proved
 * the address, which may be a stranger's, or where nothing can be sent there.
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
