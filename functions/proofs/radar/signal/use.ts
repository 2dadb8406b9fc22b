import { clock } from '../../../kernel/clock.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { signalRows, takeSignals } from './entity.ts';

/** Time in seconds within which a `signals_id` can be used. */
export const SIGNALS_SECONDS = 15 * 60;

/** The form `radar_signals_<random>_<device>`, which contains the device, so that it is counted without an earlier read. */
const SIGNALS_ID = /^radar_signals_[0-9A-Za-z]{20,40}_([0-9a-f]{32})$/;

/** The report of the script in a page. */
export interface ReadSignals {
  automation: boolean;
}

/** The device in the `signals_id` of a page that names none. */
const NO_DEVICE = '0'.repeat(32);

/** The device in a `signals_id`, which {@link useSignals} proves; undefined for one without a device, and for other texts. */
export function deviceIn(signalsId: string | undefined): string | undefined {
  const device = SIGNALS_ID.exec(signalsId ?? '')?.[1];
  return device === NO_DEVICE ? undefined : device;
}

/** A new `signals_id` and the row that proves its device, which expires after 15 minutes. */
export function newSignals(
  environmentId: string,
  { device, automation }: { device?: string | undefined; automation: boolean },
): { signalsId: string; write: Write } {
  const hash = device === undefined ? NO_DEVICE : sha256Hex(JSON.stringify([environmentId, device])).slice(0, 32);
  const signalsId = `radar_signals_${randomSecret(16)}_${hash}`;
  const expiresAt = clock.seconds() + SIGNALS_SECONDS;
  return {
    signalsId,
    write: signalRows.create({ environmentId, id: sha256Hex(signalsId), automation, expiresAt }).write,
  };
}

/**
 * Uses a `signals_id`, which can be done only once, by one DeleteItem. Returns undefined if it is unknown, used or expired.
 */
export async function useSignals(environmentId: string, signalsId: string): Promise<ReadSignals | undefined> {
  if (!SIGNALS_ID.test(signalsId)) return undefined;
  const row = await takeSignals(environmentId, sha256Hex(signalsId));
  return row === undefined || row.expiresAt <= clock.seconds() ? undefined : { automation: row.automation };
}
