import { awaitAll } from '../../../../kernel/concurrency.ts';
import { newId } from '../../../../kernel/ids.ts';
import type { Caller } from '../../../../kernel/limits/caller.ts';
import type { RequestOfMail } from '../../../../kernel/messages/templates/request-facts.ts';
import { magicAuthMail } from '../../../../kernel/messages/templates/magic-auth.ts';
import { type CodeOutcome, sealedPartOf } from '../../../../kernel/one-time-code/code.ts';
import type { CodeSubject } from '../../../../kernel/one-time-code/entity.ts';
import { stageCode, useCode } from '../../../../kernel/one-time-code/stage.ts';
import { sendCode } from '../../../../kernel/one-time-code/send.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { countSending } from '../sent-code/limits.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { type MagicAuthRecord, magicAuths } from './entity.ts';
import { magicAuthEvent } from './schema.ts';

// The subject of a code. It is the address, not the user, because the code proves access to the mailbox, even if it belongs
// to another user in the meantime.
const placeOf = (environmentId: string, email: string): CodeSubject => ({
  environmentId,
  purpose: 'magic-auth',
  subject: email,
});

/** The recipient of a code. */
export interface MagicAuthRequest {
  environmentId: string;
  /** The email address, normalized by `normalizeEmail`. */
  email: string;
  locale?: string | undefined;
  /** The client that requests the code on a page. */
  caller?: Caller | undefined;
  /** The request of the client, which the mail describes. */
  asked?: RequestOfMail | undefined;
}

/**
 * Stages a sign-in code for an address and the mail with it, whether or not there is an account. It is for pages, which
 * must not reveal that. It invalidates the previous code and is valid for ten minutes.
 * @throws Failure with 429 if too many were sent to the address
 */
export function stageMagicCode(unit: Unit<never>, request: MagicAuthRequest, user?: UserRecord) {
  const { environmentId, email, locale, caller, asked } = request;
  const owner = user && ownerKey('user', user.id);
  return sendCode(
    unit,
    placeOf(environmentId, email),
    { codeId: newId('magic_auth'), owner },
    {
      to: email,
      template: magicAuthMail,
      locale: locale ?? user?.locale,
      request: asked,
      count: () => countSending(unit, environmentId, 'magic-code.email', email, caller),
    },
  );
}

/**
 * Stages a code that is not sent, for pages that must not reveal a missing account: it counts like a mailed one, and
 * has the same number of attempts.
 * @throws Failure with 429 if too many were sent to the address
 */
export async function stageDecoyMagicCode(
  unit: Unit<never>,
  { environmentId, email, caller }: MagicAuthRequest,
): Promise<void> {
  await awaitAll([
    stageCode(unit, placeOf(environmentId, email), { codeId: newId('magic_auth') }),
    countSending(unit, environmentId, 'magic-code.email', email, caller),
  ]);
}

/** Stages a code like {@link stageMagicCode} for a user, with `magic_auth.created` and the record that callers can read. */
export async function stageMagicAuth(
  unit: Unit<'magic_auth.created'>,
  user: UserRecord,
  { locale, caller, asked }: Pick<MagicAuthRequest, 'locale' | 'caller' | 'asked'> = {},
): Promise<MagicAuthRecord> {
  const { environmentId, email } = user;
  const current = await stageMagicCode(unit, { environmentId, email, locale, caller, asked }, user);
  const fields = { environmentId, id: current.codeId, owner: ownerKey('user', user.id), userId: user.id, email };
  const creation = magicAuths.create({ ...fields, ...sealedPartOf(current) }, current.updatedAt);
  return unit.announce(creation, 'magic_auth.created', magicAuthEvent);
}

/**
 * Compares an entered code with the current code of an address, and stages its use if it is valid. An address without a
 * code has the same results: `invalid`, and after five attempts `too_many_attempts`.
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
