import { globSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { registrations } from '../../functions/oauth/agents/registration/entity.ts';
import { flagRows } from '../../functions/access/feature-flags/flag/entity.ts';
import { events } from '../../functions/kernel/events/entity.ts';
import { choosePartition } from '../../functions/kernel/events/partitions.ts';
import { messages } from '../../functions/kernel/messages/entity.ts';
import { attempts } from '../../functions/proofs/radar/attempt/entity.ts';
import { areas } from '../../functions/registry.ts';
import { KINDS, VAULT_OBJECT } from '../../functions/record/modules/search/hit/kinds.ts';
import { sessionLocators } from '../../functions/tenancy/sessions/session/entity.ts';
import { profiles } from '../../functions/sign-in/sso/profile/entity.ts';
import { samples } from './samples/index.ts';
import { openTarget, type Target } from './target.ts';

const root = new URL('../../', import.meta.url).pathname;

/**
 * Prefixes of ids that search leaves out: a code or token that is worth nothing to a reader, a row without an operation of its own, or a
 * record whose key contains its parent.
 */
const LEFT_OUT = [
  'account_code',
  'action_execution',
  'agent_identity',
  'agent_reg_claim',
  'agent_reg_claim_attempt',
  'agent_reg_credential',
  'ala',
  'als',
  'audit_log_event',
  'audit_log_export',
  'auth_challenge',
  'break_glass',
  'cors_origin',
  'data_installation',
  'data_integration',
  'dik',
  'directory_snapshot',
  'directory_token',
  'email_verification',
  'factor_reset',
  'gra',
  'hosted_oauth_resource',
  'it_contact',
  'magic_auth',
  'passkey',
  'password_reset',
  'perm',
  'portal_session',
  'proposal',
  'radar_challenge',
  'role',
  'role_assignment',
  'secret',
  'sso_attempt',
  'team',
  'vrf',
  'waitlist',
];

const ENVIRONMENT = 'environment_01JX0000000000000000000000';
const ULID = '01JX0000000000000000000001';

/** Kinds of which no sample path has an id at its end, with the key that their entity makes. */
const ELSEWHERE: Readonly<Record<string, (id: string) => { Key?: unknown }>> = {
  agent_reg: (id) => registrations.keyOf({ environmentId: ENVIRONMENT, id }),
  event: (id) => events.keyOf({ environmentId: ENVIRONMENT, id, partition: choosePartition(id) }),
  flag: (id) => flagRows.keyOf({ environmentId: ENVIRONMENT, id }),
  message: (id) => messages.keyOf({ environmentId: ENVIRONMENT, id }),
  prof: (id) => profiles.keyOf({ environmentId: ENVIRONMENT, id }),
  radar_auth_attempt: (id) => attempts.keyOf({ environmentId: ENVIRONMENT, id }),
  session: (id) => sessionLocators.keyOf({ environmentId: ENVIRONMENT, id }),
};

/** The ids of a record of each sample path, with which the path ends. */
const paths = areas.flatMap(({ name, operations }) =>
  Object.entries(samples[name]?.params ?? {}).flatMap(([path, make]) => {
    const [, parameter = ''] = /\{(\w+)\}$/.exec(path) ?? [];
    // Keys of a platform's teams belong to other environments, and the organization of a destroyed key no longer exists.
    const isElsewhere = /^\/x\/(platform|vault\/key_destructions)\//.test(path);
    return parameter !== '' && !isElsewhere && operations.some((operation) => operation.path === path)
      ? [{ path, make, parameter }]
      : [];
  }),
);

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.stop());

interface Found {
  data: { id: string; kind: string; matched_by: string }[];
}

const find = async (key: string, q: string): Promise<Found> => {
  const { status, json } = await target.apiWith(key).send('GET', `/x/search?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return json as Found;
};

describe('the search by id', () => {
  test('knows each prefix of ids, or leaves it out on purpose', () => {
    const minted = globSync('functions/**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(/newId\('([a-z_]+)'/g)].map(([, prefix = '']) => prefix),
    );
    const known = [...Object.keys(KINDS), ...LEFT_OUT];
    expect([...new Set(minted)].filter((prefix) => !known.includes(prefix)).toSorted()).toEqual([]);
  });

  test.each(Object.keys(ELSEWHERE))('reads the row of an id %s_… where its entity stores it', (prefix) => {
    const id = `${prefix}_${ULID}`;
    expect(KINDS[prefix]?.key(ENVIRONMENT, id)).toEqual(ELSEWHERE[prefix]?.(id).Key);
  });

  test('finds a record of each kind, and none of another environment', async () => {
    const { here, there } = target.keys;
    const seen = new Set<string>();
    for (const { path, make, parameter } of paths) {
      const id = (await make(target.apiWith(here)))?.[parameter] ?? '';
      const at = id.lastIndexOf('_');
      const kind = at < 0 ? VAULT_OBJECT.kind : KINDS[id.slice(0, at)]?.kind;
      const isKnown = at < 0 ? path.startsWith('/vault/v1/kv/{') : kind !== undefined;
      if (!isKnown) continue;
      expect([path, (await find(here, id)).data]).toMatchObject([path, [{ id, kind, matched_by: 'id' }]]);
      expect([path, (await find(there, id)).data]).toEqual([path, []]);
      seen.add(at < 0 ? 'vault' : id.slice(0, at));
    }
    const unseen = Object.keys(KINDS).filter((prefix) => !seen.has(prefix));
    expect(unseen.filter((prefix) => !Object.hasOwn(ELSEWHERE, prefix))).toEqual([]);
  }, 60_000);
});
