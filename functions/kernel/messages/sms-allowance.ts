import { findEnvironment } from '../authentication/environment.ts';
import { computeNetwork } from '../limits/client-network.ts';
import { consume } from '../limits/counter.ts';
import { findLimit } from '../limits/named-limits.ts';
import type { Unit } from '../storage/unit.ts';

/** An SMS that is to be sent. It is counted before it is composed. */
export interface WantedSms {
  /** The phone number in E.164 form, as `phoneNumber()` returns it: other spellings would be counted separately. */
  phoneNumber: string;
  /** True if the number is proven. An unproven number can be any other person's, or a premium rate number. */
  isProven: boolean;
  /** The address of the client that named the number; absent if a back end does not forward it. */
  clientAddress?: string | undefined;
}

/** The decision whether an SMS may be sent now, with the reason and the wait in seconds if not. */
export type SmsAllowance =
  | { allowed: true }
  /**
   * The exceeded limit: `address` for the numbers that the client named, `phone` for messages to this number, `environment`
   * for messages to all numbers of its kind, proven or not.
   */
  | { allowed: false; by: 'address' | 'phone' | 'environment'; retryAfterSeconds: number };

/**
 * Counts an SMS once in a call before it is composed, by the limits `sms.address` (for an unproven number), `sms.phone`,
 * `sms.phone.daily` and `sms.environment`, or `sms.unproven` for an unproven number, so that clients who name other
 * people's numbers cannot use up the limit of second factors. It costs one write for each limit; a rejected SMS is not
 * counted for the environment.
 */
export function consumeSms(unit: Unit, environmentId: string, wanted: WantedSms): Promise<SmsAllowance> {
  const { phoneNumber, isProven, clientAddress } = wanted;
  return unit.once(`sms#${phoneNumber}`, async () => {
    const settings: unknown = (await findEnvironment(environmentId))?.settings;
    const counters = [
      {
        by: 'address',
        name: 'sms.address',
        key: isProven ? undefined : clientAddress && computeNetwork(clientAddress),
      },
      { by: 'phone', name: 'sms.phone', key: phoneNumber },
      { by: 'phone', name: 'sms.phone.daily', key: phoneNumber },
      { by: 'environment', name: isProven ? 'sms.environment' : 'sms.unproven', key: environmentId },
    ] as const;
    for (const { by, name, key } of counters) {
      const limit = findLimit(name, settings);
      if (limit === undefined || !key) continue;
      const { allowed, retryAfterSeconds } = await consume(environmentId, { name, key }, limit);
      if (!allowed) return { allowed: false, by, retryAfterSeconds };
    }
    return { allowed: true };
  });
}
