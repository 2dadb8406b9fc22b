import { clock, isoAfter } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { composeMessage } from '../../../kernel/messages/compose.ts';
import { consumeSms } from '../../../kernel/messages/sms-allowance.ts';
import { smsCode } from '../../../kernel/messages/templates/sms-code.ts';
import { CODE_SECONDS, newCode, openCode, sealCode } from '../../../kernel/one-time-code/code.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type FactorRecord, factors } from '../factor/entity.ts';
import { type ChallengeRecord, challenges } from './entity.ts';
import { smsChallengeQuotaReached, smsChallengeRateLimited } from './errors.ts';
import { fillTemplate, type PresentedChallenge, presentChallenge } from './schema.ts';

/** Time in seconds for which a challenge's row is kept after its end, so that a late caller gets the reason. */
const KEPT_SECONDS = 86_400;

/** A new challenge, and the form in which the only response that may contain its code returns it. */
export interface NewChallenge {
  record: ChallengeRecord;
  presented: PresentedChallenge;
}

/** The text of the SMS with a code. */
export interface SmsOptions {
  /** The whole text, with `{{code}}` as placeholder of the code; the service's own if absent. */
  template?: string | undefined;
  /** The host of the page on which the user enters the code, for phones that fill it in; absent if it is not a page of this service. */
  host?: string | undefined;
}

/**
 * Challenges a factor. The code for a phone number is sent by SMS, and invalidates the challenge whose code was sent to it
 * before. The code of a `generic_otp` is only in `presented`, for the caller to deliver.
 * @throws Failure `smsChallengeRateLimited`, `smsChallengeQuotaReached`; KeyError when KMS does not respond
 */
export async function stageChallenge(unit: Unit, factor: FactorRecord, sms: SmsOptions = {}): Promise<NewChallenge> {
  const { environmentId, id: factorId, userId, type } = factor;
  const id = newId('auth_challenge');
  const code = type === 'totp' ? undefined : newCode();
  const sealedCode = code && (await sealCode(environmentId, id, code)).sealedCode;
  const at = clock.timestamp();
  const endsAt = isoAfter(at, CODE_SECONDS);
  const expiresAt = clock.seconds() + CODE_SECONDS + KEPT_SECONDS;
  const { record, write } = challenges.create(
    { environmentId, id, factorId, userId, sealedCode, endsAt, expiresAt },
    at,
  );
  unit.stage(write);
  const presented = presentChallenge(record);
  if (code === undefined) return { record, presented };
  unit.stage(factors.revise(factor, { challengeId: id }).write);
  if (type === 'generic_otp') return { record, presented: { ...presented, code } };
  await stageSms(unit, factor, code, sms);
  return { record, presented };
}

async function stageSms(
  unit: Unit,
  { environmentId, phoneNumber = '', owner, provenAt }: FactorRecord,
  code: string,
  { template, host }: SmsOptions,
): Promise<void> {
  const allowance = await consumeSms(unit, environmentId, { phoneNumber, isProven: provenAt !== undefined });
  if (!allowance.allowed) {
    const limitError = allowance.by === 'environment' ? smsChallengeQuotaReached : smsChallengeRateLimited;
    throw new Failure(limitError, { retryAfter: allowance.retryAfterSeconds });
  }
  const message = await composeMessage({
    environmentId,
    owner,
    channel: 'sms',
    to: phoneNumber,
    template: smsCode,
    values: { code, text: template && fillTemplate(template, code), host },
    usefulSeconds: CODE_SECONDS,
  });
  unit.stage(message);
}

/** Decrypts the code of a challenge; undefined if an app generates the codes. @throws KeyError */
export async function openChallengeCode({
  environmentId,
  id,
  sealedCode,
  endsAt,
}: ChallengeRecord): Promise<string | undefined> {
  if (sealedCode === undefined) return undefined;
  return openCode(environmentId, { codeId: id, sealedCode, codeExpiresAt: endsAt });
}
