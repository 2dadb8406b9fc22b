import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { randomSecret } from '../../../functions/kernel/keys/hash.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { admitSmsChallenge, stageRadarChallenge } from '../../../functions/radar/public.ts';
import { writeUser } from '../../support/user-rows.ts';
import type { AreaSamples } from './sample.ts';

export const radarSamples: AreaSamples = {
  params: {
    '/user_management/radar_challenges/{id}': async ({ environmentId }) => {
      const user = { id: await writeUser(environmentId), email: 'ada@example.com' };
      const unit = new Unit(environmentId, systemActor);
      const { id } = await stageRadarChallenge(unit, { environmentId, user, kind: 'email' });
      await unit.commit();
      return { id };
    },
  },
  bodies: {
    // The token is in the error of a sign-in, which requires settings that the contract tests do not have.
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
