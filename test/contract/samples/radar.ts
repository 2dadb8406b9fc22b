import { randomUUID } from 'node:crypto';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { randomSecret } from '../../../functions/kernel/keys/hash.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { DEFAULT_RULES } from '../../../functions/proofs/radar/engine/default-rules.ts';
import { admitSmsChallenge, stageRadarChallenge } from '../../../functions/proofs/radar/public.ts';
import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const attempt = async ({ send }: Api): Promise<Record<string, string>> => {
  const members = { ip_address: '203.0.113.7', user_agent: '', auth_method: 'Password', action: 'sign-in' };
  const body = JSON.stringify({ ...members, email: 'ada@example.com' });
  const { json } = await send('POST', '/radar/attempts', { body });
  return { id: (json as { attempt_id: string }).attempt_id };
};

export const radarSamples: AreaSamples = {
  // The request creates the entry of its body in the environment of the caller, so no record of another environment is concerned.
  makes: ['radar.add_list_entry', 'radar.remove_list_entry', 'radar.list_entries'],
  params: {
    '/radar/attempts/{id}': attempt,
    '/x/radar/lists/{type}': async () => ({ type: 'device' }),
    '/radar/lists/{type}/{action}': async () => ({ type: 'device', action: 'block' }),
    '/user_management/radar_challenges/{id}': async ({ environmentId }) => {
      const user = { id: await writeUser(environmentId), email: 'ada@example.com' };
      const unit = new Unit(environmentId, systemActor);
      const { id } = await stageRadarChallenge(unit, { environmentId, user, kind: 'email' });
      await unit.commit();
      return { id };
    },
  },
  bodies: {
    'radar.remove_list_entry': async ({ create }) => {
      const entry = randomUUID();
      await create('/radar/lists/device/block', { entry });
      return { entry };
    },
    'radar.create_signals': async ({ environmentId }) => ({
      client_id: makeClientId(environmentId),
      automation: false,
    }),
    'radar.put_rules': async () => ({ ...DEFAULT_RULES }),
    'radar.simulate': async () => ({ ...DEFAULT_RULES }),
    // The token is in the error of a sign-in that needs settings which the contract tests do not have.
    'radar_challenges.send_sms': async ({ environmentId }) => {
      const userId = await writeUser(environmentId);
      const pendingToken = randomSecret(32);
      const unit = new Unit(environmentId, systemActor);
      admitSmsChallenge(unit, { environmentId, userId, pendingToken });
      await unit.commit();
      return { user_id: userId, pending_authentication_token: pendingToken, phone_number: '+15005550006' };
    },
  },
};
