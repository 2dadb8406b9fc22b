import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageSession } from '../../../functions/tenancy/sessions/public.ts';
import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';
import { admit } from '../../support/admission.ts';

/** Opens a session like a sign-in. @returns its id */
async function openSession({ environmentId }: Api): Promise<string> {
  const userId = await writeUser(environmentId);
  let id = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const opening = { environmentId, userId, ipAddress: null, userAgent: null } as const;
    ({
      session: { id },
    } = await stageSession(unit, admit(), { ...opening, authMethod: 'password', client: 'confidential' }));
  });
  return id;
}

export const sessionSamples: AreaSamples = {
  params: {
    '/sso/jwks/{clientId}': async ({ environmentId }) => ({ clientId: makeClientId(environmentId) }),
    '/user_management/users/{id}/sessions': async ({ environmentId }) => ({ id: await writeUser(environmentId) }),
  },
  bodies: {
    'sessions.revoke': async (api) => ({ session_id: await openSession(api) }),
    'jwt_template.update': async () => ({ content: '{"plan": {{ user.metadata.plan | default: "free" }}}' }),
  },
  // Any client may fetch the keys of any environment: they are created at the first request.
  makes: ['sso.jwks'],
};
