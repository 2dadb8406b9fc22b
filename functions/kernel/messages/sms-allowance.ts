import { environmentOf } from '../authentication/environment.ts';
import { networkOf } from '../limits/client-network.ts';
import { consume } from '../limits/counter.ts';
import { limitOf } from '../limits/named-limits.ts';
import type { Unit } from '../storage/unit.ts';

/** An SMS that is about to be composed. */
export interface WantedSms {
  /** In E.164 form, as `phoneNumber()` gives it: other spellings would be counted apart. */
  phoneNumber: string;
  /** Whether somebody has shown to have the telephone. Anybody can name any other one, a premium rate number too. */
  isProven: boolean;
  /** The address of whoever named the number; absent where a back end does not tell it. */
  clientAddress?: string | undefined;
}

/** Whether an SMS may go out now, or why not and for how many seconds. */
export type SmsAllowance =
  | { allowed: true }
  /**
   * `address`: the client named as many numbers as it may; `phone`: this number was sent as many as it may be; `environment`: all
   * numbers of its kind, proved or not, together were.
   */
  | { allowed: false; by: 'address' | 'phone' | 'environment'; retryAfterSeconds: number };

/**
 * Counts an SMS before it is composed, once in a call, by the limits `sms.address` (for a number that nobody proved), `sms.phone`,
 * `sms.phone.daily` and `sms.environment`, or `sms.unproven` for a number that nobody proved, so that those who name foreign
 * numbers cannot use up what second factors need. One write each; a refusal costs the environment's none.
 */
export function consumeSms(unit: Unit, environmentId: string, wanted: WantedSms): Promise<SmsAllowance> {
  const { phoneNumber, isProven, clientAddress } = wanted;
  return unit.once(`sms#${phoneNumber}`, async () => {
    const settings: unknown = (await environmentOf(environmentId))?.settings;
    const counters = [
      { by: 'address', name: 'sms.address', key: isProven ? undefined : clientAddress && networkOf(clientAddress) },
      { by: 'phone', name: 'sms.phone', key: phoneNumber },
      { by: 'phone', name: 'sms.phone.daily', key: phoneNumber },
      { by: 'environment', name: isProven ? 'sms.environment' : 'sms.unproven', key: environmentId },
    ] as const;
    for (const { by, name, key } of counters) {
      const limit = limitOf(name, settings);
      if (limit === undefined || !key) continue;
      const { allowed, retryAfterSeconds } = await consume(environmentId, { name, key }, limit);
      if (!allowed) return { allowed: false, by, retryAfterSeconds };
    }
    return { allowed: true };
  });
}
