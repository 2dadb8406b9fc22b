import { emailAddress } from '../../../kernel/address.ts';
import { clock } from '../../../kernel/clock.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { describeRequest } from '../../../kernel/messages/describe-request.ts';
import { type AccountChange, accountChangedMail } from '../../../kernel/messages/templates/account-changed.ts';
import { cutText } from '../../../kernel/text.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { composeNotice } from '../../../tenancy/modules/users/public.ts';
import type { Visit } from '../session/visit.ts';

const describeChange = (request: IncomingRequest, change: AccountChange, name: string) => ({
  change,
  name: cutText(name, 0, 255),
  at: clock.timestamp(),
  request: describeRequest(request),
});

/** Stages the mail to the user about a change on the account page. @param name the name of what was disconnected or left */
export async function stageNotice(
  unit: Pick<Unit, 'stage'>,
  { user, request }: Pick<Visit, 'user' | 'request'>,
  change: AccountChange,
  name = '',
): Promise<void> {
  const notice = await composeNotice(user, accountChangedMail, describeChange(request, change, name));
  if (notice !== undefined) unit.stage(notice);
}

/** Stages the mail about a deleted account. The environment owns it, since the erasure removes what the user owns. */
export async function stageLastNotice(
  unit: Pick<Unit, 'stage'>,
  { user: { environmentId, email: to, emailVerified, locale }, request }: Pick<Visit, 'user' | 'request'>,
): Promise<void> {
  if (!emailVerified || emailAddress(to) === undefined) return;
  const values = describeChange(request, 'account_deleted', '');
  unit.stage(
    await composeMessage({ environmentId, channel: 'email', to, template: accountChangedMail, values, locale }),
  );
}
