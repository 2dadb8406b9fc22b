import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { openLink } from '../../../functions/faces/console/link/open.ts';
import { breakGlass } from '../../../functions/faces/console/public.ts';
import { BY_COMMAND, proposals } from '../../../functions/kernel/approvals/entity.ts';
import { secondPerson } from '../../../functions/kernel/approvals/second-person.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import type { IncomingRequest } from '../../../functions/kernel/http/incoming-request.ts';
import { countAct } from '../../../functions/kernel/http/operator-limits.ts';
import type { OperatorAct } from '../../../functions/kernel/http/operators-log.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { sha256Hex } from '../../../functions/kernel/keys/hash.ts';
import type { Operation } from '../../../functions/kernel/operation.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { ENVIRONMENT_OWNER } from '../../../functions/kernel/storage/record.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import { advance, call, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../authentication/inside.ts';

beforeEach(async () => {
  await reset({ calm: true });
  await openConsole();
});

/** Creates a user with an authenticator. @returns the id of the factor */
async function addFactor(at: number): Promise<string> {
  const { body: user } = await call('POST', '/user_management/users', { email: `user-${at}@acme.example` });
  const body = { type: 'totp', totp_issuer: 'Acme', totp_user: `user-${at}` };
  const { body: made } = await call<{ authentication_factor: { id: string } }>(
    'POST',
    `/user_management/users/${String(user.id)}/auth_factors`,
    body,
  );
  return made.authentication_factor.id;
}

describe('an operator', () => {
  test('resets at most 20 factors a day, over all grants, and another operator may go on', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 22; at += 1) ids.push(await addFactor(at));
    const resetAs = async (grant: string, id: string | undefined) => askAs(grant, 'DELETE', `/auth/factors/${id}`);
    for (const id of ids.slice(0, 20)) {
      expect((await resetAs(await operatorGrant(['people.support']), id)).status).toBe(204);
    }
    const ada = await operatorGrant(['people.support']);
    const rejected = await resetAs(ada, ids[20]);
    expect([rejected.status, rejected.body]).toMatchObject([
      429,
      { code: 'rate_limit_exceeded', message: expect.stringContaining('20 resets') },
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(80_000);
    const dry = await askAs(ada, 'DELETE', `/auth/factors/${ids[20]}`, undefined, { 'gatehouse-dry-run': 'true' });
    expect(dry.status).toBe(200);
    expect((await resetAs(await operatorGrant(['people.support'], { id: 'user_02' }), ids[20])).status).toBe(204);
    await advance(86_401);
    expect((await resetAs(await operatorGrant(['people.support']), ids[21])).status).toBe(204);
  });

  test('reveals at most 50 secrets a day, or as many as the settings of the operators’ environment say', async () => {
    const { body } = await call('POST', '/vault/v1/kv', { name: 'k', value: 'v', key_context: { team: 'a' } });
    const reveal = async (id: string) =>
      (await askAs(await operatorGrant(['secrets.reveal'], { id }), 'GET', `/vault/v1/kv/${String(body.id)}`)).status;
    const statuses: number[] = [];
    for (let at = 0; at < 51; at += 1) statuses.push(await reveal('user_01'));
    expect([statuses.slice(0, 50).every((each) => each === 200), statuses[50]]).toEqual([true, 429]);
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
      const own = await environments.get(OPERATORS_ENVIRONMENT_ID, OPERATORS_ENVIRONMENT_ID);
      if (own === undefined) throw new Error('There is no environment of the operators');
      const settings = { limits: { 'operator-reveal.operator': { limit: 2 } } };
      unit.stage(environments.revise(own, { settings }).write);
    });
    await advance(6);
    expect([await reveal('user_02'), await reveal('user_02'), await reveal('user_02')]).toEqual([200, 200, 429]);
  });

  test('makes at most five exports a day', async () => {
    const { body } = await call('POST', '/organizations', { name: 'Acme' });
    const range = { range_start: '2020-01-01T00:00:00.000Z', range_end: '2100-01-01T00:00:00.000Z' };
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      const grant = await operatorGrant(['people.read']);
      const { status } = await askAs(grant, 'POST', '/audit_logs/exports', { organization_id: body.id, ...range });
      statuses.push(status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});

test('an API key is not limited as operators are', async () => {
  const { body } = await call('POST', '/vault/v1/kv', { name: 'k', value: 'v', key_context: { team: 'a' } });
  for (let at = 0; at < 51; at += 1) expect((await call('GET', `/vault/v1/kv/${String(body.id)}`)).status).toBe(200);
});

describe('the alarm for operators', () => {
  const printed: string[] = [];
  const level = process.env.GATEHOUSE_LOG_LEVEL;

  beforeEach(async () => {
    await environment();
    printed.length = 0;
    process.env.GATEHOUSE_LOG_LEVEL = 'info';
    forgetSettings();
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => (printed.push(String(text)), true));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    if (level === undefined) delete process.env.GATEHOUSE_LOG_LEVEL;
    else process.env.GATEHOUSE_LOG_LEVEL = level;
    forgetSettings();
  });

  /** The number of lines from which CloudWatch makes the metric of the alarm, and the causes in the log. */
  const listAlarms = (): [metrics: number, causes: string[]] => {
    const lines = printed
      .join('')
      .split('\n')
      .filter((line) => line.includes('"operator_alarms"'));
    const metrics = lines.filter((line) => line.includes('"_aws"'));
    const labels = lines
      .filter((line) => !line.includes('"_aws"'))
      .map((line) => JSON.parse(line) as Record<string, string>);
    return [metrics.length, labels.map(({ cause, reason }) => cause ?? reason ?? '')];
  };
  const request = {
    id: 'r',
    method: 'DELETE',
    path: '/things/1',
    headers: {},
    sourceIp: '192.0.2.1',
  } as unknown as IncomingRequest;
  const actor = { id: 'user_07', source: 'dashboard' as const, name: 'Ada' };

  test('rings when an operator reaches a limit, and not before', async () => {
    const operation = { operatorLimit: 'exports', method: 'POST' } as unknown as Operation;
    const act = { operation, caller: { actor } } as unknown as OperatorAct;
    for (let at = 0; at < 5; at += 1) expect(await countAct(act)).toBeUndefined();
    expect(listAlarms()).toEqual([0, []]);
    expect((await countAct(act))?.declared.status).toBe(429);
    expect(listAlarms()).toEqual([1, ['operator-export.operator']]);
  });

  test('rings when an emergency access is opened, and not when its link is made', async () => {
    const { path } = await breakGlass(await environment(), 'The provider is down');
    expect(listAlarms()).toEqual([0, []]);
    await openLink(path.split('/').at(-1) ?? '', undefined, { ...request, headers: {} });
    expect(listAlarms()).toEqual([1, ['break_glass']]);
  });

  test('rings when a call is made that a command approved, and not for the approval of an operator', async () => {
    const make = async (approver: string): Promise<void> => {
      const body = { approver };
      const digest = sha256Hex(JSON.stringify([request.method, request.path, null, body]));
      const id = newId('proposal');
      const environmentId = await environment();
      const { write } = proposals.create({
        environmentId,
        id,
        owner: ENVIRONMENT_OWNER,
        operation: 'things.delete',
        permission: 'destroy',
        method: request.method,
        path: request.path,
        digest,
        records: '{}',
        sealed: new Uint8Array(),
        reason: 'Ticket 42',
        state: 'approved',
        authorId: actor.id,
        decidedById: approver,
        endsAt: '2999-01-01T00:00:00.000Z',
      });
      await commitRows(environmentId, [write]);
      const act = { caller: { actor }, request: { ...request, headers: { 'gatehouse-proposal': id } } };
      const call = { environmentId, params: {}, query: undefined, body, act };
      const approval = await secondPerson(async () => ({})).admit(call);
      if (approval?.kind === 'use') approval.stageUse({ stage: () => undefined });
    };
    await make('user_08');
    expect(listAlarms()).toEqual([0, []]);
    await make(BY_COMMAND);
    expect(listAlarms()).toEqual([1, ['approved_by_command']]);
  });
});
