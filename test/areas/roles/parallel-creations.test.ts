import { beforeEach, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { newOrganization } from '../groups/support.ts';

beforeEach(() => reset({ calm: true }));

/** Changes of one model follow each other, so a creation waits for its turn behind all others. */
test.each([
  ['150 roles of an environment', 150, '/authorization/roles', 'role', async () => ''],
  [
    '90 roles of an organization',
    90,
    '/roles',
    'org-role',
    async () => `/authorization/organizations/${await newOrganization()}`,
  ],
])(
  '%s that are created in parallel are all made',
  async (_, count, path, prefix, makePlace) => {
    const address = `${await makePlace()}${path}`;
    const made = await Promise.all(
      Array.from({ length: count }, (_each, at) =>
        call('POST', address, { slug: `${prefix}-${at}`, name: `Role ${at}` }),
      ),
    );
    expect(made.filter(({ status }) => status !== 201)).toEqual([]);
    const { body } = await call<{ data: { slug: string }[] }>('GET', address);
    expect(body.data.filter(({ slug }) => slug.startsWith(prefix))).toHaveLength(count);
  },
  120_000,
);
