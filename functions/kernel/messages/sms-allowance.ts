import { environmentOf } from '../authentication/environment.ts';
import { consume } from '../limits/counter.ts';
import { limitOf } from '../limits/named-limits.ts';
import type { Unit } from '../storage/unit.ts';

/** Whether an SMS may go out now, or why not and for how many seconds. */
export type SmsAllowance =
  | { allowed: true }
  /** `phone`: this number was sent as many as it may be; `environment`: all numbers together were. */
  | { allowed: false; by: 'phone' | 'environment'; retryAfterSeconds: number };

/**
 * Counts an SMS before it is composed, once in a call, by the limits `sms.phone`, `sms.phone.daily` and
 * `sms.environment`: one write each, and none of the environment's for a number that is refused.
 * @param phoneNumber in E.164 form, as `phoneNumber()` gives it: other spellings would be counted apart.
 */
export function consumeSms(unit: Unit, environmentId: string, phoneNumber: string): Promise<SmsAllowance> {
  return unit.once(`sms#${phoneNumber}`, async () => {
    const settings: unknown = (await environmentOf(environmentId))?.settings;
    const counters = [
      { by: 'phone', name: 'sms.phone', key: phoneNumber },
      { by: 'phone', name: 'sms.phone.daily', key: phoneNumber },
      { by: 'environment', name: 'sms.environment', key: environmentId },
    ] as const;
    for (const { by, name, key } of counters) {
      const limit = limitOf(name, settings);
      if (limit === undefined) continue;
      const { allowed, retryAfterSeconds } = await consume(environmentId, { name, key }, limit);
      if (!allowed) return { allowed: false, by, retryAfterSeconds };
    }
    return { allowed: true };
  });
}
