import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { newUser, USERS } from './users.ts';

beforeEach(() => reset());

describe('a list of a feature that is not supported yet', () => {
  test.each(['authorized_applications'])(
    'is empty for an existing user, and a 404 for an unknown one: %s',
    async (list) => {
      const { id } = await newUser();
      expect(await call('GET', `${USERS}/${id}/${list}`)).toMatchObject({
        status: 200,
        body: { object: 'list', data: [], list_metadata: { before: null, after: null } },
      });
      expect((await call('GET', `${USERS}/user_01J00000000000000000000000/${list}`)).status).toBe(404);
    },
  );
});
