import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';

import { openApiBody } from '../../lib/stack/api.ts';
import { stageSettings } from '../../lib/stack/settings.ts';
import { detailTypes } from '../../lib/stack/triggers.ts';
import type { Topology } from '../../lib/topology/model.ts';
import { EDGED, fixture, type Resource, resourcesOf, synthesise } from './fixture.ts';
import { Reading } from './reading.ts';

// Throws when AwsSolutions finds something that is not acknowledged with its reason.
const prod = synthesise(fixture, { stage: 'prod', alarmEmail: 'ops@example.com' }, { nag: true });
const preview = synthesise(fixture, { stage: 'pr-17' }, { nag: true });
const edged = synthesise(fixture, EDGED, { nag: true });
const TABLE = 'arn:aws:dynamodb:eu-west-1:111111111111:table/restored';
const adopted = synthesise(fixture, { stage: 'prod', tableArn: TABLE, tableStreamArn: `${TABLE}/stream/2026` });

const keptTypes = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];
const kept = ({ data }: Pick<typeof prod, 'data'>): Resource[] =>
  keptTypes.flatMap((type) => Object.values(resourcesOf(data, type)));
const alarms = Object.values(resourcesOf(prod.service, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

describe('Protection of data', () => {
  test('production keeps its data through deletion of a stack and replacement of a resource', () => {
    expect(prod.terminationProtection).toBe(true);
    for (const { DeletionPolicy, UpdateReplacePolicy } of kept(prod)) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    for (const { Properties } of Object.values(resourcesOf(prod.data, 'AWS::DynamoDB::GlobalTable'))) {
      expect(Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: true }]);
    }
  });

  test('a preview goes with what is in it', () => {
    expect(preview.terminationProtection).toBe(false);
    for (const { DeletionPolicy } of kept(preview)) expect(DeletionPolicy).toBe('Delete');
    // CloudFormation deletes no bucket that holds something; what is locked stays whoever asks.
    const emptied = fixture.buckets.filter(({ objectLock }) => !objectLock);
    preview.data.resourceCountIs('Custom::S3AutoDeleteObjects', emptied.length);
    prod.data.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
    for (const { Properties } of Object.values(resourcesOf(preview.data, 'AWS::DynamoDB::GlobalTable'))) {
      expect(Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: false }]);
    }
  });

  test('destroyable keys have no recovery, no backup and no stream', () => {
    const [, keys] = Object.values(resourcesOf(prod.data, 'AWS::DynamoDB::GlobalTable'));
    expect(keys?.Properties).not.toHaveProperty('StreamSpecification');
    expect(keys?.Properties.Replicas).toMatchObject([
      { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
    ]);
    prod.data.resourceCountIs('AWS::Backup::BackupPlan', 0);
  });

  test("the stage's KMS key is rotated", () => {
    prod.data.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  });

  test('an adopted table takes the place of the own one everywhere', () => {
    expect(Object.keys(resourcesOf(adopted.data, 'AWS::DynamoDB::GlobalTable'))).toHaveLength(1);
    adopted.data.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gatehouse/prod/records-table',
      Value: TABLE,
    });
    const service = JSON.stringify(adopted.service.toJSON());
    expect(service).not.toContain('/gatehouse/prod/records-table');
    expect(service).not.toContain('/gatehouse/prod/records-stream');
    expect(service).toContain(`"EventSourceArn":"${TABLE}/stream/2026"`);
    expect(service).toContain(`"GATEHOUSE_TABLE":"restored"`);
    expect(service).toContain(`${TABLE}/index/gsi4`);
  });
});

describe('Least privilege', () => {
  const reading = new Reading(prod.service, 'prod');
  /** What AWS lets nobody name, with the reason in lib/stack/functions.ts. */
  const NAMELESS = ['xray:PutTraceSegments on "*"', 'xray:PutTelemetryRecords on "*"'];

  /** Keys of customers' own accounts, and keys that the vault makes: which ones is not known before. conditions.test.ts holds them to their conditions. */
  const KEYS_OF_OTHERS = [
    'kms:CreateKey',
    'kms:TagResource',
    'kms:ScheduleKeyDeletion',
    'kms:Decrypt',
    'kms:GenerateDataKey',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ].map((action) => `${action} on "*"`);

  test.each([...reading.functions.values()])('$name names each resource that it may touch', ({ name, grants }) => {
    const open = [...grants].filter((grant) => grant.includes('*') && !grant.startsWith('deny '));
    const sms = name === 'letters-send' ? ['sns:Publish on "*"'] : [];
    const mail =
      name === 'letters-send' ? ['identity', 'configuration-set'].map((of) => `ses:SendEmail on ${of} *`) : [];
    // In the fixture one function needs everything.
    const keys = name === 'houses-http' ? KEYS_OF_OTHERS : [];
    expect(open.sort()).toEqual([...NAMELESS, ...sms, ...mail, ...keys].sort());
  });

  test('no function may scan, and no grant covers all actions of a service', () => {
    for (const { grants } of reading.functions.values()) {
      for (const grant of grants) expect(grant).not.toMatch(/dynamodb:Scan|PartiQL|^[a-z]+:\*|^\*/);
    }
  });

  test('anyone who may send SMS may not publish to topics', () => {
    expect([...(reading.functions.get('letters-send')?.grants ?? [])].join()).toContain('deny sns:Publish on');
  });
});

describe('Alarms', () => {
  test('a stage has at most ten, each says what to do and reaches the topic', () => {
    expect(alarms.length).toBeGreaterThan(5);
    expect(alarms.length).toBeLessThanOrEqual(10);
    for (const { AlarmDescription, AlarmActions } of alarms) {
      expect(String(AlarmDescription).length).toBeGreaterThan(80);
      expect(AlarmActions).toHaveLength(1);
    }
    prod.service.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  });

  test('none looks at more metrics than CloudWatch takes in one expression', () => {
    for (const { Metrics = [] } of alarms) {
      const metrics = (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined);
      expect(metrics.length).toBeLessThanOrEqual(10);
    }
  });

  test('with more workers than ten alarms can watch, those on a schedule come first', () => {
    const watched = (kind: 'schedule' | 'queue', howMany: number) => {
      const [worker] = fixture.functions.filter(({ source }) => source.kind === kind);
      if (worker === undefined) throw new Error(`the fixture has no ${kind}`);
      return Array.from({ length: howMany }, (_, at) => ({ ...worker, name: `${kind}-${at}` }));
    };
    const functions = [...watched('queue', 40), ...watched('schedule', 15)];
    const { service } = synthesise({ ...fixture, functions }, { stage: 'many' });
    const found = Object.values(resourcesOf(service, 'AWS::CloudWatch::Alarm'));
    expect(found.length).toBeLessThanOrEqual(10);
    for (let at = 0; at < 15; at += 1) expect(JSON.stringify(found)).toContain(`gatehouse-many-schedule-${at}"`);
  });

  test('a stage with more schedules than its alarms can watch is rejected', () => {
    const [worker] = fixture.functions.filter(({ source }) => source.kind === 'schedule');
    if (worker === undefined) throw new Error('the fixture has no schedule');
    const functions = Array.from({ length: 40 }, (_, at) => ({ ...worker, name: `many-${at}` }));
    expect(() =>
      synthesise({ ...fixture, functions: [...fixture.functions, ...functions] }, { stage: 'many' }),
    ).toThrow(/42 schedules/);
  });
});

describe('Deployments', () => {
  const groups = (service: typeof prod.service) =>
    Object.values(resourcesOf(service, 'AWS::CodeDeploy::DeploymentGroup')).map(({ Properties }) => Properties);

  test('in production a new version first takes a tenth of the calls, and an alarm takes it back', () => {
    expect(groups(prod.service)).toHaveLength(fixture.functions.length);
    for (const group of groups(prod.service)) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AlarmConfiguration: { Enabled: true },
        AutoRollbackConfiguration: { Enabled: true },
      });
      expect(JSON.stringify(group.AutoRollbackConfiguration)).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  test('a preview changes at once', () => {
    for (const group of groups(preview.service)) {
      expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    }
  });

  test('every caller of a function goes through its alias', () => {
    const text = JSON.stringify(prod.service.toJSON());
    for (const [id] of Object.entries(resourcesOf(prod.service, 'AWS::Lambda::Function'))) {
      if (id.startsWith('AWSCDK') || id.startsWith('StageFirstKey')) continue;
      expect(text).not.toContain(`"Arn":{"Fn::GetAtt":["${id}","Arn"]}`);
    }
  });

  test('what is limited to one run at a time is limited by Lambda', () => {
    prod.service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'gatehouse-prod-letters-sweep',
      ReservedConcurrentExecutions: 1,
    });
    prod.service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: 50 },
    });
  });

  test('no stack holds more resources than CloudFormation takes', () => {
    for (const template of [prod.data, prod.service]) {
      const { Resources } = template.toJSON() as { Resources: object };
      expect(Object.keys(Resources).length).toBeLessThan(450);
    }
  });

  test('a paused stage has all that starts by itself in place, and starts nothing', () => {
    const { service } = synthesise(fixture, { stage: 'drill', paused: 'true' });
    const rules = Object.values(resourcesOf(service, 'AWS::Events::Rule'));
    const mappings = Object.values(resourcesOf(service, 'AWS::Lambda::EventSourceMapping'));
    expect(rules.map(({ Properties }) => Properties.State)).toEqual(Array(4).fill('DISABLED'));
    expect(mappings.map(({ Properties }) => Properties.Enabled)).toEqual(Array(3).fill(false));
  });

  test('the first key is handed over once its function is deployed', () => {
    prod.service.resourceCountIs('Custom::Trigger', 1);
    const { grants } = new Reading(prod.service, 'prod').functions.get('stage-first-key') ?? { grants: new Set() };
    expect([...grants]).toContain('secretsmanager:PutSecretValue on firstkeysecret');
  });
});

describe('The API', () => {
  const DEV = { stage: 'dev', mostRoutes: 300 };

  test('is throttled as the topology says', () => {
    prod.service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      DefaultRouteSettings: {
        ThrottlingRateLimit: fixture.throttle.rate,
        ThrottlingBurstLimit: fixture.throttle.burst,
      },
    });
  });

  test('logs neither headers, nor queries, nor paths as they were sent', () => {
    const [stage] = Object.values(resourcesOf(prod.service, 'AWS::ApiGatewayV2::Stage'));
    const { Format } = stage?.Properties.AccessLogSettings as { Format: string };
    expect(Format).toContain('$context.routeKey');
    expect(Format).not.toMatch(/\$context\.path|header|query|authorizer/i);
  });

  test('leaves preflights to the areas, which know the origins of each environment', () => {
    const body = openApiBody(fixture, DEV);
    expect(body).not.toHaveProperty('x-amazon-apigateway-cors');
    for (const item of Object.values(body.paths)) expect(Object.keys(item)).toEqual(['x-amazon-apigateway-any-method']);
  });

  test('rejects two areas that claim one path', () => {
    const [http] = fixture.functions.filter(({ source }) => source.kind === 'http');
    if (http === undefined) throw new Error('the fixture has no API');
    const rival = { ...http, name: 'rival-http', source: { kind: 'http' as const, paths: ['/houses/{house_id}'] } };
    const topology: Topology = { ...fixture, functions: [...fixture.functions, rival] };
    expect(() => openApiBody(topology, DEV)).toThrow(/houses-http and rival-http/);
  });

  test('says which quota to raise where there are more routes than it takes', () => {
    expect(() => openApiBody(fixture, { stage: 'dev', mostRoutes: 2 })).toThrow(/routes.*-c mostRoutes/);
  });

  test('admits as many requests as the stage chooses', () => {
    const { service } = synthesise(fixture, { stage: 'busy', throttleRate: '2000', throttleBurst: '4000' });
    service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
    });
  });

  test('behind CloudFront answers only under the origin host, and WAF counts by address and credential', () => {
    edged.service.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    edged.service.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'origin.api.example.com' });
    const [acl] = Object.values(edged.edge === undefined ? {} : resourcesOf(edged.edge, 'AWS::WAFv2::WebACL'));
    const rules = acl?.Properties.Rules as { Name: string }[];
    expect(rules.map(({ Name }) => Name)).toEqual([
      'by-address',
      'by-credential',
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
    ]);
    edged.edge?.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { Aliases: ['api.example.com'] },
    });
    expect(JSON.stringify(edged.service.toJSON())).toContain('"GATEHOUSE_BASE_URL":"https://api.example.com"');
  });
});

describe('Without CloudFront', () => {
  test('no secret of one is made or accepted', () => {
    expect(JSON.stringify(preview.data.toJSON())).not.toContain('gatehouse-pr-17-edge');
    expect(JSON.stringify(preview.service.toJSON())).toContain('"GATEHOUSE_EDGE_DIGESTS":""');
  });
});

describe('Settings', () => {
  const of = (context: Record<string, unknown>) => stageSettings(new App({ context }).node);

  test.each([
    ['a stage name that AWS would not take', { stage: 'Prod_1' }, /stage/],
    ['half of a custom domain', { stage: 'dev', domain: 'api.example.com' }, /certificateArn/],
    ['half of an adopted table', { stage: 'dev', tableArn: TABLE }, /tableStreamArn/],
    ['CloudFront without its names', { stage: 'dev', cloudfront: true }, /originDomain/],
    ['an address that is none', { stage: 'dev', alarmEmail: 'nobody' }, /alarmEmail/],
    ['an unknown setting in cdk.json', { stage: 'dev', stages: { dev: { colour: 'red' } } }, /colour/],
  ])('rejects %s and names it', (_, context, message) => {
    expect(() => of(context)).toThrow(message);
  });

  test('takes what cdk.json says of a stage, and a flag before it', () => {
    const stages = { qa: { protect: true, logLevel: 'warn' } };
    expect(of({ stage: 'qa', stages })).toMatchObject({ protect: true, logLevel: 'warn' });
    expect(of({ stage: 'qa', stages, logLevel: 'debug' })).toMatchObject({ protect: true, logLevel: 'debug' });
  });

  test('a pattern that EventBridge would not take is rejected', () => {
    const names = Array.from({ length: 200 }, (_, at) => `something.happened_${at}`);
    expect(() => detailTypes(names)).toThrow(/prefixes/);
  });
});
