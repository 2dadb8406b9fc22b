import { newId } from '../../kernel/ids.ts';
import type { Caller } from '../../kernel/limits/caller.ts';
import { composeMessage } from '../../kernel/messages/compose.ts';
import { magicAuthMail } from '../../kernel/messages/templates/magic-auth.ts';
import { CODE_SECONDS, type CodeOutcome, sealedPartOf } from '../../kernel/one-time-code/code.ts';
import { type CodeSubject, stageCode, useCode } from '../../kernel/one-time-code/entity.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { countSending } from '../sent-code/limits.ts';
import { normalizeEmail } from '../../kernel/address.ts';
import type { UserRecord } from '../../users/public.ts';
import { type MagicAuthRecord, magicAuths } from './entity.ts';
import { magicAuthEvent } from './schema.ts';

// By the address, not the user: the code proves who reads it, whoever has it by then.
const placeOf = (environmentId: string, email: string): CodeSubject => ({
  environmentId,
  purpose: 'magic-auth',
  subject: email,
});

/** Who is sent a code. */
export interface MagicAuthWish {
  environmentId: string;
  /** As `normalizeEmail` gives it. */
  email: string;
  locale?: string | undefined;
  /** Whoever asks for it on a page. */
  caller?: Caller | undefined;
}

/**
 * Stages a sign-in code for an address and the mail that carries it, whether or not anybody has an account there: for pages,
 * which must not tell. It kills the code before and works for ten minutes.
 * @throws Failure with 429 when too many were sent to the address
 */
export async function stageMagicCode(unit: Unit<never>, wish: MagicAuthWish, user?: UserRecord) {
  const { environmentId, email, locale, caller } = wish;
  const codeId = newId('magic_auth');
  const owner = user && ownerKey('user', user.id);
  const [{ code, record }] = await Promise.all([
    stageCode(unit, placeOf(environmentId, email), { codeId, owner }),
    countSending(unit, environmentId, 'magic-code.email', email, caller),
  ]);
  unit.stage(
    await composeMessage({
      environmentId,
      channel: 'email',
      to: email,
      template: magicAuthMail,
      values: { code, minutes: CODE_SECONDS / 60 },
      locale: locale ?? user?.locale,
      owner,
      usefulSeconds: CODE_SECONDS,
    }),
  );
  return record;
}

/**
 * Stages a code of which nobody hears, for pages that must not tell who has no account: it is counted as one that is mailed, and
 * there are as many tries for it.
 * @throws Failure with 429 when too many were sent to the address
 */
export async function stageUntoldMagicCode(
  unit: Unit<never>,
  { environmentId, email, caller }: MagicAuthWish,
): Promise<void> {
  await Promise.all([
    stageCode(unit, placeOf(environmentId, email), { codeId: newId('magic_auth') }),
    countSending(unit, environmentId, 'magic-code.email', email, caller),
  ]);
}

/** As {@link stageMagicCode} for a user, with the record that callers can read and `magic_auth.created`. */
export async function stageMagicAuth(
  unit: Unit<'magic_auth.created'>,
  user: UserRecord,
  { locale, caller }: Pick<MagicAuthWish, 'locale' | 'caller'> = {},
): Promise<MagicAuthRecord> {
  const { environmentId, email } = user;
  const current = await stageMagicCode(unit, { environmentId, email, locale, caller }, user);
  const fields = { environmentId, id: current.codeId, owner: ownerKey('user', user.id), userId: user.id, email };
  const { record, write } = magicAuths.create({ ...fields, ...sealedPartOf(current) }, current.updatedAt);
  unit.stage(write);
  unit.emit('magic_auth.created', magicAuthEvent(record));
  return record;
}

/**
 * Compares what was entered with the current code of an address, and stages its use when it is valid. An address to which no
 * code went is answered in the same way: `invalid`, and after five tries `too_many_attempts`.
 */
export async function checkMagicAuth(
  unit: Unit<never>,
  environmentId: string,
  email: string,
  entered: string,
): Promise<CodeOutcome> {
  const { outcome } = await useCode(unit, placeOf(environmentId, normalizeEmail(email) ?? email), entered);
  return outcome;
}
