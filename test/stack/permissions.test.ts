import { describe, expect, test } from '@jest/globals';

import { compilePolicy } from '../../lib/local/policy/evaluate.ts';
import { Policies } from '../../lib/local/policy/policies.ts';
import { guardedKinds } from '../../lib/permissions/guarded.ts';
import table from '../../lib/topology/access.json' with { type: 'json' };
import type { Access } from '../../lib/topology/access.ts';
import { topology } from '../../lib/topology/index.ts';
import { findResources, synthesise } from './fixture.ts';
import { isAllowed, type Statement } from './policy.ts';
import { Reading } from './reading.ts';

const stage = synthesise(topology, { stage: 'prod', mailFrom: 'Gatehouse <no-reply@example.com>' });
const reading = new Reading(stage, 'prod');
const roles = findResources([stage.service, stage.workers], 'AWS::IAM::Role');

/** The statements of a function's role in the template. */
function listStatements(name: string): Statement[] {
  const id = (reading.functions.get(name)?.properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0] ?? '';
  const { Policies: policies } = roles[id]?.Properties as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

const names = [...reading.functions.keys()];
const formatName = (value: unknown): string => reading.readWord(value);
const may = (name: string, action: string, resource: string, keys: Record<string, string | string[]>): boolean =>
  isAllowed({ role: listStatements(name), formatName }, { action, resource, keys });

const ENVIRONMENT = 'environment_01K0G000000000000000000000';
const LEADING = 'dynamodb:LeadingKeys';

/** A partition key of a kind of row. */
const makeKey = (pattern: string): string =>
  `${pattern.startsWith('#') ? ENVIRONMENT : ''}${pattern.replace('*', 'some#thing')}`;

const list = (value: unknown): string[] =>
  [value]
    .flat()
    .map(formatName)
    .map((each) => (each === '"*"' ? '*' : each));

/** The values of conditions as texts: references in JSON. */
const readConditions = (conditions: Statement['Condition'] = {}): Record<string, Record<string, string[]>> =>
  mapValues(conditions, (keys) =>
    mapValues(keys, (wanted) =>
      [wanted].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
    ),
  );

const mapValues = <T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** The purposes that have a need of their own. */
const RESERVED: Readonly<Record<string, string>> = {
  'signing-key': 'signing-key',
  'connect-signing-key': 'connect-signing-key',
  'console-grants': 'console-key',
  'portal-grants': 'portal-key',
};

describe('The policy of each deployed function', () => {
  /** The policies of the template, evaluated as the local service evaluates its own. */
  const compiled = new Map(
    names.map((name) => [
      name,
      compilePolicy(
        listStatements(name).map(({ Effect, Action, Resource, Condition }) => ({
          effect: Effect,
          actions: [Action].flat(),
          resources: list(Resource),
          conditions: readConditions(Condition),
        })),
      ),
    ]),
  );
  const functions: Readonly<Record<string, Access>> = table.functions;
  const shared = (kind: string): string[] => {
    const records: Readonly<Record<string, string>> = table.keys.records;
    return Object.keys(records).filter((other) => records[other] === records[kind]);
  };

  test.each(names)('allows %s to write the kinds of rows that its code writes, and no other', (name) => {
    const access = functions[name];
    const hasTable = topology.functions.every((each) => each.name !== name || each.needs.includes('table'));
    for (const [kind, pattern] of Object.entries(table.keys.records)) {
      const writes = hasTable && shared(kind).some((each) => access?.writes.includes(each) === true);
      for (const action of ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']) {
        const ask = {
          action: `dynamodb:${action}`,
          resource: 'recordstable',
          keys: { [LEADING]: makeKey(pattern), 'dynamodb:Attributes': ['pk', 'sk', 'hash'] },
        };
        const expected = writes || (action === 'DeleteItem' && access?.erases === true);
        expect([name, kind, action, compiled.get(name)?.(ask)]).toEqual([name, kind, action, expected]);
      }
    }
  });

  test('has a bound for each write: none is allowed without a key, and none in a batch with one foreign key', () => {
    for (const name of names.filter((each) => functions[each]?.writes.includes('event') === true)) {
      const own = `${ENVIRONMENT}#events#01`;
      const writes = may(name, 'dynamodb:PutItem', 'recordstable', { [LEADING]: own });
      expect([name, writes]).toEqual([name, name !== 'reference-http']);
      expect(may(name, 'dynamodb:PutItem', 'recordstable', {})).toBe(false);
      expect(
        may(name, 'dynamodb:BatchWriteItem', 'recordstable', { [LEADING]: [own, `${ENVIRONMENT}#foreign#1`] }),
      ).toBe(false);
      for (const key of [`x${own}`, `environment_${own}`, `${ENVIRONMENT}#x#events#01`, `stage#planted#${own}`]) {
        expect([key, may(name, 'dynamodb:PutItem', 'recordstable', { [LEADING]: key })]).toEqual([key, false]);
      }
    }
  });

  test.each(Object.entries(guardedKinds))(
    'allows the write of %s only to the functions that make it',
    (kind, writers) => {
      const pattern = (table.keys.records as Readonly<Record<string, string>>)[kind] ?? '';
      const able = names.filter((name) =>
        may(name, 'dynamodb:PutItem', 'recordstable', { [LEADING]: makeKey(pattern) }),
      );
      expect(able.sort()).toEqual([...writers].sort());
    },
  );

  test('allows a function that only authenticates API keys to stamp their day, and nothing else in their rows', () => {
    const keys = { [LEADING]: `${ENVIRONMENT}#credential#hash` };
    const stamp = { ...keys, 'dynamodb:Attributes': ['pk', 'sk', 'lastUsedOn'] };
    expect(may('vault-http', 'dynamodb:UpdateItem', 'recordstable', stamp)).toBe(true);
    for (const more of ['revokedAt', 'keyId', 'endsAt', 'areas', '__edb_e__']) {
      const wider = { ...keys, 'dynamodb:Attributes': [...stamp['dynamodb:Attributes'], more] };
      expect([more, may('vault-http', 'dynamodb:UpdateItem', 'recordstable', wider)]).toEqual([more, false]);
    }
    expect(may('vault-http', 'dynamodb:UpdateItem', 'recordstable', keys)).toBe(false);
    expect(may('vault-http', 'dynamodb:DeleteItem', 'recordstable', stamp)).toBe(false);
  });

  test('allows encryption and decryption for the purposes of its code, and no other', () => {
    const purposes = new Set(Object.values(functions).flatMap(({ seals, opens }) => [...seals, ...opens]));
    expect(purposes.size).toBeGreaterThan(20);
    for (const name of names) {
      for (const purpose of [...purposes, 'planted']) {
        const keys = { 'kms:EncryptionContext:purpose': purpose, 'aws:ResourceAccount': '{"Ref":"AWS::AccountId"}' };
        const ask = (action: string) => compiled.get(name)?.({ action, resource: 'kmskey', keys });
        const needs = topology.functions.find((each) => each.name === name)?.needs ?? [];
        const need = RESERVED[purpose];
        const isCovered = need === undefined || needs.some((each) => each === need);
        const { seals = [], opens = [] } = functions[name] ?? {};
        expect([name, purpose, ask('kms:GenerateDataKey'), ask('kms:Decrypt')]).toEqual([
          name,
          purpose,
          isCovered && seals.includes(purpose),
          isCovered && opens.includes(purpose),
        ]);
      }
    }
  });

  test('lets no function decrypt most purposes', () => {
    const opened = names.map((name) => ({ name, count: functions[name]?.opens.length ?? 0 }));
    expect(opened.filter(({ count }) => count > 6)).toEqual([]);
    const openers = (purpose: string) => names.filter((name) => functions[name]?.opens.includes(purpose) === true);
    expect(openers('message').sort()).toEqual(['messages-retry', 'messages-send']);
    expect(openers('sso-connection')).toEqual(['sso-http']);
    expect(openers('connected-account')).toEqual(['pipes-http']);
    expect(openers('webhook-secret').sort()).toEqual(['webhooks-deliver', 'webhooks-http']);
  });
});

test('the local service denies what the deployed policy denies', () => {
  const own = { kmsKey: 'arn:aws:kms:us-east-1:000000000000:key/own', evidenceKey: 'evidence' };
  const policies = new Policies(topology, own);
  for (const name of topology.functions.map((each) => each.name)) {
    const invocation = { id: '1', functionName: name, generation: 0 };
    for (const [kind, pattern] of Object.entries(table.keys.records)) {
      const pk = makeKey(pattern);
      const input = { TableName: 'gatehouse-local-records', Item: { pk: { S: pk }, sk: { S: 'record' } } };
      const isDenied = policies.deny(invocation, 'table', 'PutItem', input) !== undefined;
      const deployed = may(name, 'dynamodb:PutItem', 'recordstable', { [LEADING]: pk });
      expect([name, kind, isDenied]).toEqual([name, kind, !deployed]);
    }
  }
});
