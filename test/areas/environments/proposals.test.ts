import { beforeEach, describe, expect, test } from '@jest/globals';

import { approveProposal, createConsoleLink } from '../../../functions/faces/console/public.ts';
import { browser } from '../../support/browser.ts';
import { askAs, openConsole, openPath, operatorGrant } from '../../support/console.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { environment } from '../../support/users.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, messages, reset } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';

const PATH = '/x/platform/stage/proposals';
const DAY = 86_400;

interface Proposal {
  id: string;
  state: string;
  records: unknown;
  dry_run: { emits: { event: string }[] } | null;
  body: unknown;
  code?: string;
}

let ada: string;
let grace: string;
let organizationId: string;

/** Makes the grants again, after the clock has moved. */
async function signIn(): Promise<void> {
  ada = await operatorGrant(['config.read', 'destroy'], { id: 'user_01', name: 'Ada' });
  grace = await operatorGrant(['config.read', 'destroy'], { id: 'user_02', name: 'Grace' });
}

beforeEach(async () => {
  await reset({ calm: true });
  await openConsole();
  organizationId = await newOrganization('Acme');
  await signIn();
});

const removal = (): string => `/organizations/${organizationId}`;
const remove = (grant: string, headers: Record<string, string> = {}) =>
  askAs<Proposal>(grant, 'DELETE', removal(), undefined, headers);
const exists = async (): Promise<boolean> => (await call('GET', removal())).status === 200;

async function propose(grant = ada): Promise<string> {
  const { status, body } = await remove(grant, { 'gatehouse-propose': 'true' });
  expect([status, body]).toMatchObject([202, { object: 'proposal', state: 'pending' }]);
  return body.id;
}
const decide = (grant: string, id: string, verb = 'approve') => askAs<Proposal>(grant, 'POST', `${PATH}/${id}/${verb}`);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('a call that needs a second person', () => {
  test('is rejected without an approval, whatever permissions the operator has', async () => {
    expect(codeOf(await remove(ada))).toEqual([403, 'approval_required']);
    for (const proposal of ['', 'proposal_01K0G000000000000000000000', 'x'])
      expect(codeOf(await remove(ada, { 'gatehouse-proposal': proposal }))).toEqual([403, 'approval_required']);
    expect(await exists()).toBe(true);
  });

  test('is made once its proposal was approved by another operator, and only once', async () => {
    const id = await propose();
    expect(await exists()).toBe(true);
    const { status, body } = await decide(grace, id);
    expect([status, body]).toMatchObject([200, { state: 'approved', decided_by: { name: 'Grace' } }]);
    expect(await exists()).toBe(true);
    expect((await remove(ada, { 'gatehouse-proposal': id })).status).toBe(202);
    expect(await exists()).toBe(false);
    organizationId = await newOrganization('Globex');
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    expect((await askAs<Proposal>(grace, 'GET', `${PATH}/${id}`)).body.state).toBe('used');
  });

  test('is made by an API key without one', async () => {
    expect((await call('DELETE', removal())).status).toBe(202);
  });

  test('can be rehearsed without an approval', async () => {
    const { status, body } = await remove(ada, { 'gatehouse-dry-run': 'true' });
    expect([status, body]).toMatchObject([200, { object: 'dry_run' }]);
    expect(await exists()).toBe(true);
  });
});

describe('a proposal', () => {
  test('shows what it would do, with reason and author', async () => {
    const id = await propose();
    const { body } = await askAs<Proposal>(grace, 'GET', `${PATH}/${id}`);
    expect(body).toMatchObject({
      operation: 'organizations.delete',
      path: removal(),
      reason: 'Ticket 42',
      author: { id: 'user_01', name: 'Ada' },
      records: { id: organizationId, name: 'Acme' },
      dry_run: { emits: [{ event: 'organization.deleted' }] },
    });
    const list = await askAs<{ data: Proposal[] }>(grace, 'GET', PATH);
    expect(list.body.data.map((each) => each.id)).toEqual([id]);
  });

  test('is listed as something that needs attention until it is decided', async () => {
    const readWaiting = async () => {
      const { body } = await call<{ data: { kind: string; id: string | null }[] }>('GET', '/x/environment/attention');
      return body.data.filter(({ kind }) => kind === 'proposal_waiting').map((each) => each.id);
    };
    expect(await readWaiting()).toEqual([]);
    const id = await propose();
    expect(await readWaiting()).toEqual([id]);
    await decide(grace, id);
    expect(await readWaiting()).toEqual([]);
  });

  test('is approved neither by its author nor by an operator without the permission, and an API key neither reads nor decides it', async () => {
    const id = await propose();
    expect(codeOf(await decide(ada, id))).toEqual([403, 'own_proposal']);
    const reader = await operatorGrant(['config.read', 'config.change', 'people.change'], { id: 'user_03' });
    expect(codeOf(await decide(reader, id))).toEqual([403, 'operator_permission_required']);
    for (const [method, path] of [
      ['GET', PATH],
      ['GET', `${PATH}/${id}`],
      ['POST', `${PATH}/${id}/approve`],
      ['POST', `${PATH}/${id}/decline`],
    ] as const) {
      expect(codeOf(await call(method, path))).toEqual([403, 'operator_required']);
    }
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    expect(await exists()).toBe(true);
  });

  test('allows only its author, and exactly its method, path and body', async () => {
    const id = await propose();
    await decide(grace, id);
    expect(codeOf(await remove(grace, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    const own = organizationId;
    organizationId = await newOrganization('Globex');
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    expect(await exists()).toBe(true);
    organizationId = own;
    expect((await remove(ada, { 'gatehouse-proposal': id })).status).toBe(202);
  });

  test('with an altered body is rejected', async () => {
    const path = `${removal()}/audit_logs_retention`;
    const set = (days: number, headers: Record<string, string> = {}) =>
      askAs<Proposal>(ada, 'PUT', path, { retention_period_in_days: days }, headers);
    const { body } = await set(300, { 'gatehouse-propose': 'true' });
    expect((await decide(grace, body.id)).body).toMatchObject({ body: { retention_period_in_days: 300 } });
    expect(codeOf(await set(30, { 'gatehouse-proposal': body.id }))).toEqual([403, 'approval_required']);
    expect((await set(300, { 'gatehouse-proposal': body.id })).status).toBe(200);
  });

  test('cannot be used after its record was changed', async () => {
    const id = await propose();
    await decide(grace, id);
    await call('PUT', removal(), { name: 'Acme AG' });
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([409, 'proposal_outdated']);
    expect(await exists()).toBe(true);
  });

  test('expires 24 hours after its approval, and after a week without one', async () => {
    const id = await propose();
    const other = await propose();
    await decide(grace, id);
    await advance(DAY + 1);
    await signIn();
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    await advance(6 * DAY);
    await signIn();
    expect(codeOf(await decide(grace, other))).toEqual([409, 'proposal_decided']);
    expect((await askAs<Proposal>(grace, 'GET', `${PATH}/${other}`)).body.state).toBe('expired');
  });

  test('that was declined or withdrawn cannot be approved or used', async () => {
    for (const grant of [grace, ada]) {
      const id = await propose();
      expect((await decide(grant, id, 'decline')).body.state).toBe('declined');
      expect(codeOf(await decide(grace, id))).toEqual([409, 'proposal_decided']);
      expect(codeOf(await decide(grace, id, 'decline'))).toEqual([409, 'proposal_decided']);
      expect(codeOf(await remove(ada, { 'gatehouse-proposal': id }))).toEqual([403, 'approval_required']);
    }
  });

  test('of another environment, or that never existed, is the same 404', async () => {
    const id = await propose();
    const { clientId } = await otherEnvironment();
    const elsewhere = await operatorGrant(['config.read', 'destroy'], {
      environmentId: clientId.replace('client_', 'environment_'),
      id: 'user_02',
    });
    const missing = 'proposal_01K0G000000000000000000000';
    expect((await askAs(elsewhere, 'GET', `${PATH}/${id}`)).body).toEqual(
      (await askAs(grace, 'GET', `${PATH}/${missing}`)).body,
    );
    for (const verb of ['approve', 'decline']) {
      expect((await decide(elsewhere, id, verb)).status).toBe(404);
      expect((await decide(grace, missing, verb)).status).toBe(404);
    }
  });

  test('of a call that needs none is rejected, and the call is not made', async () => {
    const editor = await operatorGrant(['people.change'], { id: 'user_01' });
    const body = { name: 'Initech' };
    const response = await askAs(editor, 'POST', '/organizations', body, { 'gatehouse-propose': 'true' });
    expect([response.status, response.body.code]).toEqual([400, 'proposal_not_needed']);
    const { body: list } = await call<{ data: unknown[] }>('GET', '/organizations');
    expect(list.data).toHaveLength(1);
  });
});

describe('the command that approves a proposal', () => {
  test('takes the place of the second person while the stage has one owner, and is in the log', async () => {
    const id = await propose();
    await approveProposal(await environment(), id);
    expect(JSON.stringify(await messages('owner@gatehouse.example'))).toContain('was approved by a command');
    expect((await remove(ada, { 'gatehouse-proposal': id })).status).toBe(202);
    const lines = await readOperatorsLog();
    expect(lines.filter((line) => line.includes('console.proposal_approved') && line.includes(id))).toHaveLength(1);
    const made = lines.filter(
      (line) => line.includes('organizations.delete') && line.includes('done') && !line.includes('console.'),
    );
    expect([made.length, made[0]?.includes(id)]).toEqual([1, true]);
  });

  test('is rejected while there is another owner, and for a proposal that cannot be decided', async () => {
    const id = await propose();
    await decide(grace, id, 'decline');
    await expect(approveProposal(await environment(), id)).rejects.toThrow('was decided');
    await expect(approveProposal(await environment(), 'proposal_x')).rejects.toThrow('no proposal proposal_x');
    const other = await propose();
    const person = browser();
    await person.submit(
      await openPath(person, await createConsoleLink({ email: 'grace@acme.example', role: 'owner' })),
    );
    await expect(approveProposal(await environment(), other)).rejects.toThrow('another owner');
    expect(codeOf(await remove(ada, { 'gatehouse-proposal': other }))).toEqual([403, 'approval_required']);
  });
});

describe('a retention', () => {
  test('needs a second person only to be lowered', async () => {
    const path = `${removal()}/audit_logs_retention`;
    const set = async (days: number) => codeOf(await askAs(ada, 'PUT', path, { retention_period_in_days: days }));
    expect(await set(730)).toEqual([200, undefined]);
    expect(await set(365)).toEqual([403, 'approval_required']);
    expect(await set(730)).toEqual([200, undefined]);
  });
});

test('a customer’s KMS key is mapped to an organization only after a second operator approves', async () => {
  const key_arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  const body = { context_entry: { name: 'organization_id', value: organizationId }, key_arn };
  const put = await askAs<{ error: string }>(ada, 'PUT', '/x/vault/customer_keys', body);
  expect([put.status, put.body.error]).toEqual([403, expect.stringContaining('Another operator')]);
  const proposed = await askAs<Proposal>(ada, 'PUT', '/x/vault/customer_keys', body, { 'gatehouse-propose': 'true' });
  expect((await decide(grace, proposed.body.id)).body).toMatchObject({ state: 'approved', body, records: null });
});
