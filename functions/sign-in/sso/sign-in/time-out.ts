import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import type { EventOrigin } from '../../../kernel/events/catalogue/context.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { dueSignIns, type SsoSignInRecord, ssoSignIns } from './entity.ts';
import { ssoEvent } from './events.ts';

const BATCH = 100;

const TIMED_OUT = {
  code: 'sso_timed_out',
  message: 'The identity provider did not respond within ten minutes.',
};

/** Emits `authentication.sso_timed_out` for the sign-ins whose providers have not responded, once each. */
export async function timeOutSignIns(): Promise<void> {
  for (const due of await dueSignIns(BATCH)) await timeOut(due);
}

async function timeOut({ environmentId, id }: SsoSignInRecord): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit: Unit<'authentication.sso_timed_out'>) => {
    // The index lags, so the sign-in may have ended already.
    const current = await ssoSignIns.get(environmentId, id);
    if (current?.dueAt === undefined || current.response !== undefined || current.endsAt > clock.seconds()) return;
    unit.stage(ssoSignIns.revise(current, { dueShard: undefined, dueAt: undefined }).write);
    if (current.origin !== undefined) unit.setOrigin(current.origin as EventOrigin);
    const data = { ...ssoEvent('timed_out', current, { email: current.email ?? null }), error: TIMED_OUT };
    unit.emit('authentication.sso_timed_out', data, { organizationId: current.organizationId });
  });
}
