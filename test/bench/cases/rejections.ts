import { ENVIRONMENT_KEY_PREFIX } from '../../../functions/kernel/authentication/api-key.ts';
import { mintKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { newUlid } from '../../../functions/kernel/ids.ts';
import type { CaseFile, Expected } from '../case.ts';

const rejectedCase = (name: string, request: Expected): CaseFile['cases'][number] => ({
  name,
  kind: 'refusal',
  prepare: async () => () => request,
});

const target = { method: 'GET', path: '/organizations' };

/** The cases of rejected calls. */
export const rejectionCases: CaseFile = {
  area: 'organizations',
  cases: [
    rejectedCase('401 without a key', { ...target, key: null, status: 401 }),
    rejectedCase('401 for a malformed key', { ...target, key: 'sk_env_nothing', status: 401 }),
    {
      name: '401 for an unknown key',
      kind: 'refusal',
      prepare: async () => () => ({ ...target, key: mintKey(ENVIRONMENT_KEY_PREFIX, newUlid()).value, status: 401 }),
    },
    rejectedCase('404 for an unknown id', {
      ...target,
      path: '/organizations/org_01K0G000000000000000000000',
      status: 404,
    }),
    rejectedCase('422 for a wrong member', { method: 'POST', path: '/organizations', body: { name: 1 }, status: 422 }),
  ],
};
