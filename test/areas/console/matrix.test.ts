import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { obtainGrant } from '../../../functions/kernel/authentication/grant.ts';
import {
  BREAK_GLASS_PERMISSIONS,
  OPERATOR_PERMISSIONS,
  type OperatorPermission,
} from '../../../functions/kernel/authentication/operator-permission.ts';
import { OPERATIONS } from '../../../functions/faces/console/operation-table.ts';
import { makeAddress } from '../../../functions/faces/console/page/run-calls.ts';
import { breakGlass, giveRole } from '../../../functions/faces/console/public.ts';
import { OPERATOR_ROLES } from '../../../functions/tenancy/roles/model/operator-model.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { askAs, openConsole, openPath, operatorGrant, openConsoleSession } from '../../support/console.ts';
import {
  consolePages,
  isPermitted,
  listActs,
  listCalls,
  mayAct,
  postAct,
  readTyped,
  type Sample,
  samplePages,
} from '../../support/console-matrix.ts';
import { fillEnvironment, fillFurther } from '../../support/console-records.ts';
import { openLink } from '../../support/operators.ts';
import { advance, call, idle, reset, service } from '../../support/service.ts';
import { environment, otherEnvironment } from '../authentication/inside.ts';

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
  await environment();
  for (const role of roles) {
    const rights = {
      permissions: listPermissions(role),
      roles: [role],
      sessionHash: await openConsoleSession(role),
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
  const { status, body: responseBody } = await call<Rejection | string | undefined>(method, target, body, options);
  const permission = typeof responseBody === 'object' ? responseBody.permission : undefined;
  return { status, permission, text: JSON.stringify(responseBody ?? '') };
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

describe('an operation for operators', () => {
  const asked = ids.filter((id) => OPERATIONS[id]?.[2] !== 'never');
  const attemptWith = async (apiKey: string | null, id: string) => {
    const [method, path] = OPERATIONS[id] ?? ['GET', '/'];
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    return call<{ code?: string } | undefined>(method, path.replace(/\{\w+\}/g, 'x'), body, { apiKey });
  };

  test('is rejected without a credential', async () => {
    const wrong: unknown[] = [];
    for (const id of asked) {
      const { status } = await attemptWith(null, id);
      if (status !== 401) wrong.push({ id, status });
    }
    expect(wrong).toEqual([]);
  });

  test('is open to an API key, except for keys of environments, environments of the stage, proposals and exports', async () => {
    const apiKey = (await service()).apiKey;
    const wrong: unknown[] = [];
    const own = /^(environment_api_keys|stage_environments|proposals|resource_exports)\./;
    for (const id of asked.filter((each) => !each.startsWith('platform_') && OPERATIONS[each]?.[0] === 'GET')) {
      const { status } = await attemptWith(apiKey, id);
      const isOnlyForOperators = own.test(id);
      if ((status === 401 || status === 403) !== isOnlyForOperators) wrong.push({ id, status });
    }
    for (const id of asked.filter((each) => own.test(each))) {
      const { status } = await attemptWith(apiKey, id);
      if (status !== 401 && status !== 403) wrong.push({ id, status });
    }
    expect(wrong).toEqual([]);
  });
});

/** The pages of kinds of records that this environment does not have. */
const UNREACHED: readonly string[] = [
  'agents/sessions/bulk/{bulk}',
  'connections/{id}/attempts/{attempt_id}',
  'invitations/bulk/{bulk}',
  'keys/bulk/{bulk}',
  'organizations/{id}/audit-log/{export}',
  'organizations/{id}/members/bulk/{bulk}',
  'pipes/{slug}/organization',
  'providers/{provider}',
  'users/bulk/{bulk}',
  'users/{id}/passkeys/{passkey}',
  'vault-keys/{id}',
  'waitlists/{id}',
  'waitlists/{id}/bulk',
  'waitlists/{id}/bulk/{bulk}',
  'webhooks/{id}/bulk/{bulk}',
  'webhooks/{id}/deliveries/{delivery}',
];

describe('the pages and acts of the console', () => {
  const signed = new Map<string, Browser>();
  let samples: Sample[] = [];
  let other = '';
  const REASON = { reason: 'Ticket 42: matrix' };

  beforeAll(async () => {
    await reset({ calm: true });
    const { person: local } = await openConsole();
    const { organizationId } = await fillEnvironment(() => 'Plain');
    const { attemptId } = await fillFurther();
    const headers = { 'gatehouse-propose': 'true' };
    await askAs(await operatorGrant(['destroy']), 'DELETE', `/organizations/${organizationId}`, undefined, headers);
    await idle();
    const id = await environment();
    for (const role of ordered) {
      const person = browser();
      await openLink(`${role}@gatehouse.example`, role, person);
      signed.set(role, person);
    }
    const emergency = browser();
    await emergency.submit(await openPath(emergency, (await breakGlass(id, 'Everything is down')).path));
    signed.set('break-glass', emergency);
    other = (await otherEnvironment()).clientId.replace('client_', 'environment_');
    const stranger = browser();
    await openLink('stranger@gatehouse.example', undefined, stranger);
    await giveRole('stranger@gatehouse.example', 'admin', other);
    signed.set('of another environment', stranger);
    await advance(6);
    const here = [
      '',
      '/search?q=ada',
      '/search.json?q=ada',
      '/previews/frame',
      '/events/tail.json',
      `/radar/${attemptId}`,
    ];
    const home = ['log', 'operators', 'environments'].map((page) => `/console/e/${OPERATORS_ENVIRONMENT_ID}/${page}`);
    samples = await samplePages(local, [...here.map((page) => `/console/e/${id}${page}`), ...home]);
    const found = new Set(samples.map(({ page }) => page));
    // Pages without a record in this environment, or that no link leads to: of a record that does not exist.
    const missing = consolePages.filter((page) => page.path !== '' && !found.has(page));
    expect(missing.map(({ path }) => path.replace('e/{environment}/', '')).toSorted()).toEqual(UNREACHED);
  });

  const open = async (role: string, { path }: Sample): Promise<Page> =>
    openPath(signed.get(role) ?? browser(), `/console/${path}`);
  const inGroups = async (work: (sample: Sample) => Promise<unknown[]>): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    for (let at = 0; at < samples.length; at += 6)
      wrong.push(...(await Promise.all(samples.slice(at, at + 6).map(work))).flat());
    return wrong;
  };

  test.each(roles)('are whole for the role %s where it permits them, and the same 404 where not', async (role) => {
    const own = listPermissions(role);
    const wrong = await inGroups(async (sample) => {
      const { status, text } = await open(role, sample);
      const isWhole = !/did not respond in time|The API rejected this part|undefined|\[object /.test(text);
      const expected = isPermitted(sample, own) ? 200 : 404;
      if (status !== expected || !isWhole) return [{ path: sample.path, status, expected, isWhole }];
      const hidden = listActs({ text } as Page).filter((name) => {
        const act = sample.page.acts.find((each) => each.name === name);
        return act !== undefined && act.operation !== 'form' && !mayAct(sample, act, own);
      });
      return hidden.map((name) => ({ path: sample.path, name }));
    });
    expect(wrong).toEqual([]);
  });

  test.each([...roles, 'of another environment'])(
    'that are not permitted are rejected for %s, with a valid proof',
    async (role) => {
      const own = role === 'of another environment' ? [] : listPermissions(role);
      const wrong = await inGroups(async (sample) => {
        const closed = sample.page.acts.filter((act) => act.operation !== 'form' && !mayAct(sample, act, own));
        const sent = await Promise.all(
          closed.map(async ({ name }) => {
            const { status } = await postAct(signed.get(role) ?? browser(), sample, { ...REASON, do: name });
            return { path: sample.path, name, status };
          }),
        );
        return sent.filter(({ status }) => status !== 404);
      });
      expect(wrong).toEqual([]);
    },
  );

  test('do not exist without a session or for an operator of another environment', async () => {
    const wrong = await inGroups(async (sample) => {
      const [none, sent, foreign] = await Promise.all([
        open('no session', sample),
        postAct(browser(), sample, { ...REASON, do: sample.page.acts[0]?.name ?? 'x' }),
        open('of another environment', sample),
      ]);
      const statuses = [none.status, sent.status, foreign.status];
      return statuses.join() === '401,401,404' ? [] : [{ path: sample.path, statuses }];
    });
    expect(wrong).toEqual([]);
  });

  test('show nothing of this environment to calls with the grant of another one', async () => {
    const apiKey = await operatorGrant(OPERATOR_PERMISSIONS, { environmentId: other });
    const wrong = await inGroups(async (sample) => {
      if (sample.path.startsWith(`e/${OPERATORS_ENVIRONMENT_ID}`)) return [];
      const ids = sample.path
        .split('/')
        .slice(2)
        .filter((each) => /_[0-9A-Z]{26}$/.test(each));
      const declared = Object.values(listCalls(sample)).flatMap((each) => makeAddress(each) ?? []);
      const found = await Promise.all(
        declared
          .filter(({ method }) => method === 'GET')
          .map(async ({ path }) => {
            const { status, body } = await call('GET', path, undefined, { apiKey });
            const data = JSON.stringify((body as { data?: unknown } | undefined)?.data ?? []);
            return {
              path,
              isFound:
                ids.some((id) => path.includes(`/${id}`) && status < 300 && data !== '[]') ||
                ids.some((id) => data.includes(id)),
            };
          }),
      );
      return found.filter(({ isFound }) => isFound);
    });
    expect(wrong).toEqual([]);
  });

  test('that are displayed work for the least role that sees them', async () => {
    const done = new Set<string>();
    const wrong: unknown[] = [];
    const works = async (role: string, sample: Sample): Promise<void> => {
      const page = await open(role, sample);
      for (const name of listActs(page).filter((each) => !done.has(`${sample.page.path} ${each}`))) {
        done.add(`${sample.page.path} ${name}`);
        const fields = { ...REASON, typed: readTyped(page, name) };
        const { status, text } = (await signed.get(role)?.submit(page, fields, `value="${name}"`)) ?? page;
        const isBroken = ![200, 422].includes(status) || /no permission|typed name is another/.test(text);
        if (isBroken) wrong.push({ role, path: sample.path, name, status });
      }
    };
    for (const role of ordered) {
      for (const sample of samples.filter((each) => isPermitted(each, listPermissions(role))))
        await works(role, sample);
    }
    expect(wrong).toEqual([]);
    expect(done.size).toBeGreaterThan(20);
  });
});
