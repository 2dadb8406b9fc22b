import { clock } from '../../../kernel/clock.ts';
import { settings } from '../../../kernel/settings.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { accountLinks, type AccountLinkRecord, LINK_SECONDS, linkTokens } from './entity.ts';

/** The options of a link: `provenAt` and `method` are a proof of identity of its user, which the account page accepts as its own. */
export type AccountLinkOptions = Partial<Pick<AccountLinkRecord, 'sessionId' | 'returnUrl' | 'provenAt' | 'method'>>;

/** Stages a link to the account page of a user, which can be opened once within five minutes. @returns its address */
export function stageAccountLink(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id: userId, credentialEpoch: epoch = 0 }: UserRecord,
  options: AccountLinkOptions,
): string {
  const { token, id } = linkTokens.mint(environmentId);
  const expiresAt = clock.seconds() + LINK_SECONDS;
  const row = { environmentId, id, owner: ownerKey('user', userId), userId, epoch, expiresAt };
  unit.stage(accountLinks.create({ ...row, ...options }).write);
  return `${settings().GATEHOUSE_BASE_URL}/hosted/account/links/${token}`;
}
