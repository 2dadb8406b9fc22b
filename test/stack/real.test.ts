import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';

import { computeUsage, isOver, type TemplateJson } from '../../lib/stack/limits.ts';
import { projected } from '../../lib/stack/projection.ts';
import { topology } from '../../lib/topology/index.ts';
import { EDGED, type Resource, findResources, synthesise, type Synthesised } from './fixture.ts';
import { isAllowed, type Statement } from './policy.ts';
import { Reading } from './reading.ts';
import { type DeployedTemplate, unorderedNames } from './references.ts';

// All deployed variants of a stage: the fixture contains all possible parts, these contain the actual ones.
const TABLE = 'arn:aws:dynamodb:eu-west-1:111111111111:table/restored';
const mailFrom = 'Gatehouse <no-reply@example.com>';
const shapes: Readonly<Record<string, Synthesised>> = {
  dev: synthesise(topology, { stage: 'dev', mailFrom }),
  prod: synthesise(topology, { stage: 'prod', mailFrom, alarmEmail: 'ops@example.com' }),
  edged: synthesise(topology, { ...EDGED, mailFrom, protect: true, alarmEmail: 'ops@example.com', edgeSecret: 3 }),
  adopted: synthesise(topology, { stage: 'prod', mailFrom, tableArn: TABLE, tableStreamArn: `${TABLE}/stream/2026` }),
};
const json = (template: Template): TemplateJson => template.toJSON() as TemplateJson;
const prod = shapes.prod as Synthesised;
/** The account of a stage as conditions of its templates name it. */
const OWN_ACCOUNT = JSON.stringify({ Ref: 'AWS::AccountId' });

describe.each(Object.entries(shapes))('A deployed stage (%s)', (_, stage) => {
  test('refers to no resource by name before CloudFormation creates it', () => {
    const deployed = Object.entries(stage.stacks).map(([name, template]): [string, DeployedTemplate] => [
      name,
      { template, after: stage.deployedAfter[name] ?? [] },
    ]);
    expect(unorderedNames(Object.fromEntries(deployed))).toEqual([]);
  });

  test('has no redundant dependencies', () => {
    for (const { Resources } of Object.values(stage.stacks)) {
      for (const [id, resource] of Object.entries(Resources)) {
        const { DependsOn = [] } = resource as { DependsOn?: string | string[] };
        const text = JSON.stringify(resource.Properties ?? {});
        const twice = [DependsOn]
          .flat()
          .filter((other) => text.includes(`"Fn::GetAtt":["${other}"`) || text.includes(`"Ref":"${other}"`));
        expect([id, twice]).toEqual([id, []]);
      }
    }
  });

  test('has room in every limit of AWS', () => {
    expect(computeUsage(stage.stacks).filter(isOver)).toEqual([]);
  });
});

test('the check of a template reports a resource that names an alias without depending on it', () => {
  const { Resources } = json(prod.workers);
  const workers = {
    ...json(prod.workers),
    Resources: Object.fromEntries(
      Object.entries(Resources).map(([id, { ...resource }]) => {
        if (resource.Type === 'AWS::Lambda::EventInvokeConfig') delete (resource as { DependsOn?: unknown }).DependsOn;
        return [id, resource];
      }),
    ),
  };
  const found = unorderedNames({ workers: { template: workers, after: [] } });
  expect(found).toContainEqual(expect.stringMatching(/DispatchAliasRetries\w+ names workers\/\w+DispatchAlias.*live/));
});

test('all rules of the bus share one queue policy statement for dead letters, which covers no other rule', () => {
  const statements = Object.values(findResources(prod.service, 'AWS::SQS::QueuePolicy')).flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: (Statement & { Principal: unknown })[] }).Statement,
  );
  const reading = new Reading(prod, 'prod');
  const admitted = statements.filter(
    (each) => each.Effect === 'Allow' && reading.readWord(each.Resource) === 'queue workers-dead-letters',
  );
  expect(admitted).toHaveLength(1);
  expect(admitted[0]).toMatchObject({
    Action: 'sqs:SendMessage',
    Principal: { Service: 'events.amazonaws.com' },
  });
  expect(JSON.stringify(admitted[0])).toMatch(/":rule\/",\{"Ref":"Bus\w+"\},"\/\*"/);
  const rules = Object.values(findResources(prod.workers, 'AWS::Events::Rule')).filter(
    ({ Properties }) => Properties.EventPattern !== undefined,
  );
  expect(rules.length).toBeGreaterThan(1);
});

test('the dashboard shows every alarm of the stage that notifies', () => {
  const [dashboard] = Object.values(findResources(prod.workers, 'AWS::CloudWatch::Dashboard'));
  const alarms = Object.values(findResources([prod.service, prod.workers], 'AWS::CloudWatch::Alarm')).filter(
    ({ Properties }) => Properties.AlarmActions !== undefined,
  );
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  expect(alarms.length).toBeGreaterThan(8);
  for (const { Properties } of alarms) expect(body).toContain(`:alarm:${String(Properties.AlarmName)}\\"`);
});

test('A stage with all future areas fits into every limit of AWS', () => {
  const later = synthesise(projected(topology), { ...EDGED, protect: true, alarmEmail: 'ops@example.com' });
  const usage = computeUsage(later.stacks);
  expect(usage.filter(isOver)).toEqual([]);
});

describe('Permissions for KMS keys', () => {
  const reading = new Reading(prod, 'prod');
  const keyPolicy = Object.values(findResources(prod.data, 'AWS::KMS::Key')).flatMap(
    ({ Properties }) => (Properties.KeyPolicy as { Statement: Statement[] }).Statement,
  );
  const findRole = (name: string): Resource => {
    const role = (reading.functions.get(name)?.properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0];
    return findResources([prod.service, prod.workers], 'AWS::IAM::Role')[role ?? ''] as Resource;
  };
  /** A call by a function, in which the role's own tags are condition keys. */
  const may = (
    name: string,
    action: string,
    resource: string,
    keys: Record<string, string | string[]> = {},
    withKeyPolicy = true,
  ) => {
    const { Policies, Tags } = findRole(name).Properties as {
      Policies: { PolicyDocument: { Statement: Statement[] } }[];
      Tags: { Key: string; Value: string }[];
    };
    const tags = Object.fromEntries(Tags.map(({ Key, Value }) => [`aws:PrincipalTag/${Key}`, Value]));
    const isOwn = resource === 'kmskey' || resource === 'evidencekey';
    return isAllowed(
      {
        role: Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
        resource: isOwn && withKeyPolicy ? keyPolicy : [],
        formatName: (value) => reading.readWord(value),
      },
      { action, resource, keys: { ...tags, ...keys } },
    );
  };
  const ofOrganization = (kind: 'Request' | 'Resource') => ({
    [`aws:${kind}Tag/gatehouse:stage`]: 'prod',
    [`aws:${kind}Tag/gatehouse:organization`]: 'org_1',
  });
  const names = [...reading.functions.keys()];
  const OWN = ['kmskey', 'evidencekey'];

  test.each(OWN)("no function can tag, delete or disable the stage's own %s, whatever its tags", (key) => {
    for (const name of names) {
      for (const action of [
        'kms:TagResource',
        'kms:ScheduleKeyDeletion',
        'kms:DisableKey',
        'kms:PutKeyPolicy',
        'kms:CreateGrant',
      ]) {
        const keys = { ...ofOrganization('Request'), ...ofOrganization('Resource') };
        expect([name, action, may(name, action, key, keys)]).toEqual([name, action, false]);
        // Neither policy depends on the other.
        expect([name, action, may(name, action, key, keys, false)]).toEqual([name, action, false]);
      }
    }
  });

  test('the key policy keeps functions from changing a key', () => {
    const everything: Statement = { Effect: 'Allow', Action: 'kms:*', Resource: '*' };
    const tags = (stage: string) => ({ 'aws:PrincipalTag/service': 'gatehouse', 'aws:PrincipalTag/stage': stage });
    const policies = { role: [everything], resource: keyPolicy, formatName: () => '*' };
    const ask = { action: 'kms:TagResource', resource: 'kmskey' };
    expect(isAllowed(policies, { ...ask, keys: tags('prod') })).toBe(false);
    expect(isAllowed(policies, { ...ask, action: 'kms:Decrypt', keys: tags('prod') })).toBe(true);
    // An administrator is not a function.
    expect(isAllowed(policies, ask)).toBe(true);
  });

  test('keys with aliases cannot be tagged, so no other key of the account can be taken over', () => {
    for (const name of names) {
      const keys = { ...ofOrganization('Request'), 'kms:ResourceAliases': ['alias/payroll'] };
      expect([name, may(name, 'kms:TagResource', 'another key', keys)]).toEqual([name, false]);
    }
  });

  test('keys of organizations of another stage in the account cannot be tagged, so they cannot be taken over', () => {
    const ofOther = { 'aws:ResourceTag/gatehouse:stage': 'dev', 'aws:ResourceTag/gatehouse:organization': 'org_1' };
    for (const name of names) {
      const keys = { ...ofOrganization('Request'), ...ofOther };
      expect([name, may(name, 'kms:TagResource', 'another key', keys)]).toEqual([name, false]);
      expect([
        name,
        may(name, 'kms:Decrypt', 'another key', { ...ofOther, 'aws:ResourceAccount': OWN_ACCOUNT }),
      ]).toEqual([name, false]);
    }
  });

  test.each(['signing-key', 'connect-signing-key'] as const)(
    'only functions with the need %s can decrypt those token signing keys, even if the stage’s key is tagged',
    (purpose) => {
      const keys = {
        ...ofOrganization('Resource'),
        'kms:EncryptionContext:purpose': purpose,
        'aws:ResourceAccount': 'own',
      };
      const able = names.filter((name) => may(name, 'kms:Decrypt', 'kmskey', keys));
      const signing = topology.functions.filter(({ needs }) => needs.includes(purpose)).map(({ name }) => name);
      expect(able.sort()).toEqual(signing.sort());
    },
  );

  test('the vault can create and use keys of organizations, and its worker can only delete them', () => {
    expect(may('vault-http', 'kms:CreateKey', 'a new key', ofOrganization('Request'))).toBe(true);
    expect(may('vault-http', 'kms:TagResource', 'a new key', ofOrganization('Request'))).toBe(true);
    expect(may('vault-http', 'kms:CreateKey', 'a new key')).toBe(false);
    expect(may('vault-http', 'kms:Decrypt', 'a key', ofOrganization('Resource'))).toBe(true);
    expect(may('vault-shred', 'kms:ScheduleKeyDeletion', 'a key', ofOrganization('Resource'))).toBe(true);
    expect(may('vault-shred', 'kms:ScheduleKeyDeletion', 'a key')).toBe(false);
    for (const action of [
      'kms:CreateKey',
      'kms:TagResource',
      'kms:Decrypt',
      'kms:GenerateDataKey',
      'kms:ReEncryptFrom',
    ]) {
      const keys = { ...ofOrganization('Request'), ...ofOrganization('Resource') };
      expect([action, may('vault-shred', action, 'a key', keys)]).toEqual([action, false]);
    }
  });
});

describe('A compromised function', () => {
  const { functions } = new Reading(prod, 'prod');
  const findGrants = (name: string, service: string) =>
    [...(functions.get(name)?.grants ?? [])].filter((grant) => grant.startsWith(service)).sort();

  test('of audit logs with HTTP operations can read segments, but not delete or replace them', () => {
    expect(findGrants('audit-logs-http', 's3:')).toEqual(['s3:GetObject on auditbucket objects']);
  });

  test('that erases audit logs cannot read or write them', () => {
    expect(findGrants('audit-logs-erase', 's3:')).toEqual([
      's3:DeleteObject on auditbucket objects',
      's3:ListBucket on auditbucket',
    ]);
  });

  test('that dispatches events to webhooks cannot write records', () => {
    expect(findGrants('webhooks-dispatch', 'dynamodb:').join()).not.toMatch(/Put|Update|Delete|Write/);
  });
});
