import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { obtainGrant } from '../../../functions/kernel/authentication/grant.ts';
import {
  BREAK_GLASS_PERMISSIONS,
  type OperatorPermission,
} from '../../../functions/kernel/authentication/operator-permission.ts';
import { OPERATIONS } from '../../../functions/console/operation-table.ts';
import { OPERATOR_ROLES } from '../../../functions/roles/model/operator-model.ts';
import { openConsole } from '../../support/console.ts';
import { call, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';

/** The response that every operation gives to an operator without its permission. */
interface Rejection {
  permission?: string;
}

const ordered = ['viewer', 'support', 'admin', 'owner'] as const;
const roles = [...ordered, 'break-glass'] as const;
const listPermissions = (slug: string): readonly OperatorPermission[] =>
  slug === 'break-glass'
    ? BREAK_GLASS_PERMISSIONS
    : (OPERATOR_ROLES.find((role) => role.slug === slug)?.permissions ?? []);

const grants = new Map<string, string>();

beforeAll(async () => {
  await reset();
  await openConsole();
  for (const role of roles) {
    const rights = {
      permissions: listPermissions(role),
      roles: [role],
      sessionHash: role,
      address: '192.0.2.1',
      steppedUpUntil: 4e12,
    };
    const secret = randomUUID();
    const actor = { id: role, name: role };
    grants.set(role, await obtainGrant(await environment(), secret, { actor, operator: rights }));
    const late = { ...rights, steppedUpUntil: 0 };
    grants.set(`${role} with an old proof`, await obtainGrant(await environment(), secret, { actor, operator: late }));
    grants.set(`${role} at home`, await obtainGrant(OPERATORS_ENVIRONMENT_ID, secret, { actor, operator: rights }));
  }
});

/** The response to a call. */
interface Attempted {
  status: number;
  permission: string | undefined;
  text: string;
}

/** Calls an operation on records that do not exist, as an operator who gives a reason. */
async function attempt(grant: string, id: string): Promise<Attempted> {
  const [method, path] = OPERATIONS[id] ?? ['GET', '/'];
  const target = path.replace(/\{\w+\}/g, 'x');
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const options = { apiKey: grants.get(grant) ?? '', headers: { 'gatehouse-reason': 'Ticket%2042' } };
  const { status, body: answered } = await call<Rejection | string | undefined>(method, target, body, options);
  const permission = typeof answered === 'object' ? answered.permission : undefined;
  return { status, permission, text: JSON.stringify(answered ?? '') };
}

/** The operations of platforms have their own authentication, to which no operator is known. */
const isRejection = ({ status, permission }: Pick<Attempted, 'status' | 'permission'>, required: string): boolean =>
  (status === 403 && permission === required) || (status === 401 && required === 'never');

const ids = Object.keys(OPERATIONS);

describe.each(roles)('an operator with the role %s', (role) => {
  const own: readonly string[] = listPermissions(role);

  test('may call exactly the operations whose permission the role has', async () => {
    const wrong: unknown[] = [];
    for (const id of ids) {
      const required = OPERATIONS[id]?.[2] ?? 'never';
      const { status, permission } = await attempt(role, id);
      const isRejected = isRejection({ status, permission }, required);
      if (isRejected === own.includes(required) || status >= 500) wrong.push({ id, required, status, permission });
    }
    expect(wrong).toEqual([]);
  });

  test('is asked for a step-up by exactly the operations of the table, if the last proof is old', async () => {
    const wrong: unknown[] = [];
    for (const id of ids.filter((each) => own.includes(OPERATIONS[each]?.[2] ?? 'never'))) {
      const { status, text } = await attempt(`${role} with an old proof`, id);
      const isAsked = status === 403 && text.includes('in the last five minutes');
      if (isAsked !== (OPERATIONS[id]?.[3] === 'always')) wrong.push({ id, status, text });
    }
    expect(wrong).toEqual([]);
  });

  test('changes no record of the environment of the operators, and reads there only as an owner', async () => {
    const wrong: unknown[] = [];
    for (const id of ids.filter((each) => !each.startsWith('platform_'))) {
      const required = OPERATIONS[id]?.[2] ?? 'never';
      const { status, permission } = await attempt(`${role} at home`, id);
      const expected = required.endsWith('.read') || required === 'operators' ? 'operators' : 'never';
      const isRejected = isRejection({ status, permission }, expected);
      if (isRejected === own.includes(expected)) wrong.push({ id, required, status, permission });
    }
    expect(wrong).toEqual([]);
  });
});

test('each role has the permissions of the role below it', () => {
  const sets = ordered.map((role) => new Set(listPermissions(role)));
  for (const [at, set] of sets.entries())
    expect([...(sets[at - 1] ?? [])].filter((each) => !set.has(each))).toEqual([]);
  expect(listPermissions('member')).toEqual([]);
});
