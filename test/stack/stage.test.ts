import { describe, expect, test } from '@jest/globals';

import { METRICS } from '../../functions/kernel/metrics.ts';
import { openApiBody } from '../../lib/stack/api.ts';
import type { Topology } from '../../lib/topology/model.ts';
import { EDGED, fixture, type Resource, findResources, synthesise } from './fixture.ts';
import { Reading } from './reading.ts';

const prod = synthesise(fixture, { stage: 'prod', alarmEmail: 'ops@example.com' });
const preview = synthesise(fixture, { stage: 'pr-17' });
// With `nag`, synthesis throws for an unacknowledged finding of AwsSolutions. This stage has every resource (see settings.test.ts).
const edged = synthesise(fixture, EDGED, { nag: true });
const TABLE = 'arn:aws:dynamodb:eu-west-1:111111111111:table/restored';
const adopted = synthesise(fixture, { stage: 'prod', tableArn: TABLE, tableStreamArn: `${TABLE}/stream/2026` });

const keptTypes = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];
const kept = ({ data }: Pick<typeof prod, 'data'>): Resource[] =>
  keptTypes.flatMap((type) => Object.values(findResources(data, type)));
const alarms = Object.values(findResources([prod.service, prod.workers], 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
/** The alarms that notify; those of deployments are in canaries.test.ts. */
const notifying = alarms.filter(({ AlarmActions }) => AlarmActions !== undefined);

describe('Protection of data', () => {
  test('production keeps its data when a stack is deleted or a resource replaced', () => {
    expect(prod.terminationProtection).toEqual([true, true, true, true]);
    expect(edged.terminationProtection).toEqual([true, true, true, true, true]);
    for (const { DeletionPolicy, UpdateReplacePolicy } of kept(prod)) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    for (const { Properties } of Object.values(findResources(prod.data, 'AWS::DynamoDB::GlobalTable'))) {
      expect(Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: true }]);
    }
  });

  test('a preview is deleted with its data', () => {
    expect(preview.terminationProtection).toEqual([false, false, false, false]);
    for (const { DeletionPolicy } of kept(preview)) expect(DeletionPolicy).toBe('Delete');
    // CloudFormation cannot delete a bucket that has objects; in a preview none is locked.
    preview.data.resourceCountIs('Custom::S3AutoDeleteObjects', fixture.buckets.length);
    expect(JSON.stringify(preview.data.toJSON())).not.toContain('"ObjectLockEnabled":true');
    expect(JSON.stringify(preview.workers.toJSON())).not.toContain('"GATEHOUSE_OBJECT_LOCK":"on"');
    prod.data.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
    for (const { Properties } of Object.values(findResources(preview.data, 'AWS::DynamoDB::GlobalTable'))) {
      expect(Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: false }]);
    }
  });

  test('production keeps unsent work, dead letters and logs when its service is deleted', () => {
    for (const type of ['AWS::SQS::Queue', 'AWS::Logs::LogGroup']) {
      const policies = (stage: typeof prod) =>
        new Set(Object.values(findResources(stage.service, type)).map((each) => each.DeletionPolicy));
      expect([...policies(prod)]).toEqual(['Retain']);
      expect([...policies(preview)]).toEqual(['Delete']);
    }
  });

  test('the table for destroyable keys has no recovery, no backup and no stream', () => {
    const [, keys] = Object.values(findResources(prod.data, 'AWS::DynamoDB::GlobalTable'));
    expect(keys?.Properties).not.toHaveProperty('StreamSpecification');
    expect(keys?.Properties.Replicas).toMatchObject([
      { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
    ]);
    prod.data.resourceCountIs('AWS::Backup::BackupPlan', 0);
  });

  test("the stage's KMS key is rotated", () => {
    prod.data.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  });

  test('an adopted table replaces the stage’s own table everywhere', () => {
    expect(Object.keys(findResources(adopted.data, 'AWS::DynamoDB::GlobalTable'))).toHaveLength(1);
    adopted.data.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gatehouse/prod/records-table',
      Value: TABLE,
    });
    const service = JSON.stringify([adopted.service.toJSON(), adopted.workers.toJSON()]);
    expect(service).not.toContain('/gatehouse/prod/records-table');
    expect(service).not.toContain('/gatehouse/prod/records-stream');
    expect(service).toContain(`"EventSourceArn":"${TABLE}/stream/2026"`);
    expect(service).toContain(`"GATEHOUSE_TABLE":"restored"`);
    expect(service).toContain(`${TABLE}/index/gsi4`);
  });
});

describe('Least privilege', () => {
  const reading = new Reading(prod, 'prod');
  /** Actions for which AWS supports no resource names, with the reason in lib/stack/functions.ts. */
  const NAMELESS = ['xray:PutTraceSegments on "*"', 'xray:PutTelemetryRecords on "*"'];

  /**
   * Keys in customers' own accounts, and keys that the vault creates, whose ids are not known in advance.
   * conditions.test.ts checks their conditions.
   */
  const KEYS_OF_OTHERS = [
    'kms:CreateKey',
    'kms:TagResource',
    'kms:ScheduleKeyDeletion',
    'kms:Decrypt',
    'kms:GenerateDataKey',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ].map((action) => `${action} on "*"`);

  /** Functions and deployment groups whose names begin with the name of the stage, since versions have their number when they are deployed. */
  const OF_THE_STAGE = [
    'lambda:InvokeFunction on function:gatehouse-prod-*',
    ...['GetDeploymentTarget', 'ListDeploymentTargets', 'PutLifecycleEventHookExecutionStatus'].map(
      (action) => `codedeploy:${action} on deploymentgroup:gatehouse-prod-*`,
    ),
  ];
  const withoutPlace = (grant: string): string =>
    grant.replace(/ on \{.*"AWS::AccountId"\},":([a-z]+:gatehouse-[^"]+)"\]\]\}$/, ' on $1');

  test.each([...reading.functions.values()])('$name has grants for named resources only', ({ name, grants }) => {
    const open = [...grants].filter((grant) => grant.includes('*') && !grant.startsWith('deny '));
    const sms = name === 'letters-send' ? ['sns:Publish on "*"'] : [];
    const mail = name === 'letters-send' ? ['ses:SendEmail on identity *'] : [];
    // In the fixture this function has every need.
    const keys = name === 'houses-http' ? KEYS_OF_OTHERS : [];
    const hook = name === 'stage-before-traffic' ? OF_THE_STAGE : [];
    expect(open.map(withoutPlace).sort()).toEqual([...NAMELESS, ...sms, ...mail, ...keys, ...hook].sort());
  });

  test('no function may use Scan, and no grant covers all actions of a service', () => {
    for (const { grants } of reading.functions.values()) {
      for (const grant of grants) expect(grant).not.toMatch(/dynamodb:Scan|PartiQL|^[a-z]+:\*|^\*/);
    }
  });

  test('a function that may send SMS may not publish to topics', () => {
    expect([...(reading.functions.get('letters-send')?.grants ?? [])].join()).toContain('deny sns:Publish on');
  });
});

describe('Alarms', () => {
  test('a stage has at most thirteen, each with a description of what to do and the topic', () => {
    expect(notifying.length).toBeGreaterThan(5);
    expect(notifying.length).toBeLessThanOrEqual(13);
    for (const { AlarmDescription, AlarmActions } of notifying) {
      expect(String(AlarmDescription).length).toBeGreaterThan(80);
      expect(AlarmActions).toHaveLength(1);
    }
    prod.service.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  });

  test('synthesis warns about a protected stage without a recipient of alarms, or without mail', () => {
    const warnings = (flags: Record<string, string | undefined>) => {
      const { app } = synthesise(fixture, { stage: 'prod', ...flags });
      const messages = app
        .synth()
        .stacks.flatMap((stack) => stack.messages.map(({ entry }) => JSON.stringify(entry.data)));
      return messages.filter((text) => text.includes('Set -c')).map((text) => /-c (\w+)/.exec(text)?.[1]);
    };
    const nothing = { alarmEmail: undefined, mailFrom: undefined };
    expect(warnings(nothing)).toEqual(['alarmEmail', 'mailFrom']);
    expect(warnings({})).toEqual([]);
    expect(warnings({ ...nothing, protect: 'false' })).toEqual([]);
  });

  test('undelivered mail triggers an alarm: rejected by SES, or bounced', () => {
    const alarm = alarms.find(({ AlarmName }) => AlarmName === 'gatehouse-prod-mail-undelivered');
    for (const name of ['messages_undelivered', 'Reputation.BounceRate', 'Reputation.ComplaintRate']) {
      expect(JSON.stringify(alarm)).toContain(`"${name}"`);
    }
    prod.service.hasResourceProperties('AWS::SES::ConfigurationSet', {
      Name: 'gatehouse-prod-mail',
      SuppressionOptions: { SuppressedReasons: [] },
    });
    expect(JSON.stringify(prod.workers.toJSON())).toContain('"GATEHOUSE_MAIL_SET":"gatehouse-prod-mail"');
  });

  test('every custom metric has an alarm, since each costs money', () => {
    for (const name of METRICS) expect(JSON.stringify(alarms)).toContain(`"${name}"`);
  });

  test('no alarm has more metrics than CloudWatch allows in one expression', () => {
    for (const { Metrics = [] } of alarms) {
      const metrics = (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined);
      expect(metrics.length).toBeLessThanOrEqual(10);
    }
  });

  test('schedules have priority if there are more workers than the alarms can cover', () => {
    const watched = (kind: 'schedule' | 'queue', howMany: number) => {
      const worker = fixture.functions.find(({ source }) => source.kind === kind) ?? fail(kind);
      return Array.from({ length: howMany }, (_, at) => ({ ...worker, name: `${kind}-${at}` }));
    };
    const functions = [...watched('queue', 40), ...watched('schedule', 15)];
    const { service, workers } = synthesise({ ...fixture, functions }, { stage: 'many' });
    const found = Object.values(findResources([service, workers], 'AWS::CloudWatch::Alarm'));
    expect(found.length).toBeLessThanOrEqual(12);
    for (let at = 0; at < 15; at += 1) expect(JSON.stringify(found)).toContain(`gatehouse-many-schedule-${at}"`);
  });

  test('a schedule that fails for half an hour triggers an alarm, however rarely it runs', () => {
    const schedules = [1, 5, 15, 60, 1_440].map((everyMinutes) => ({
      ...(fixture.functions.find(({ source }) => source.kind === 'schedule') ?? fail('a schedule')),
      name: `every-${everyMinutes}`,
      source: { kind: 'schedule' as const, everyMinutes },
    }));
    const { workers } = synthesise({ ...fixture, functions: schedules }, { stage: 'try' });
    const of = (name: string) =>
      Object.values(findResources(workers, 'AWS::CloudWatch::Alarm')).find(
        ({ Properties }) => Properties.AlarmName === `gatehouse-try-${name}`,
      )?.Properties ?? fail(name);
    const frequent = of('schedule-failures');
    // The share of failed runs: 15 and 3 errors in a quarter of an hour are all of the runs.
    expect(JSON.stringify(frequent.Metrics)).toContain('MAX([FILL(m0, 0) * 1 / 15, FILL(m1, 0) * 5 / 15])');
    expect(frequent).toMatchObject({ Threshold: 0.5, EvaluationPeriods: 2, DatapointsToAlarm: 2 });
    const rare = of('rare-schedule-failures');
    expect(JSON.stringify(rare.Metrics)).toMatch(/every-15"[^]*every-60"[^]*every-1440"/);
    // The three attempts are the run itself and its two retries.
    expect(rare).toMatchObject({ Threshold: 2, EvaluationPeriods: 1 });
  });

  test('a stage with more schedules than its alarms can cover is rejected', () => {
    const worker = fixture.functions.find(({ source }) => source.kind === 'schedule') ?? fail('a schedule');
    const functions = Array.from({ length: 40 }, (_, at) => ({ ...worker, name: `many-${at}` }));
    expect(() =>
      synthesise({ ...fixture, functions: [...fixture.functions, ...functions] }, { stage: 'many' }),
    ).toThrow(/42 schedules/);
  });
});

function fail(what: string): never {
  throw new Error(`there is no ${what}`);
}

describe('Deployments', () => {
  const groups = (stage: typeof prod) =>
    [stage.service, stage.workers].flatMap((stack) =>
      Object.values(findResources(stack, 'AWS::CodeDeploy::DeploymentGroup')).map(({ Properties }) => Properties),
    );
  const isScheduled = ({ source }: (typeof fixture.functions)[number]) => source.kind === 'schedule';

  test('in production a new version first gets a tenth of the calls, and an alarm rolls it back', () => {
    expect(groups(prod)).toHaveLength(fixture.functions.filter((fn) => !isScheduled(fn)).length);
    for (const group of groups(prod)) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AlarmConfiguration: { Enabled: true },
        AutoRollbackConfiguration: { Enabled: true },
      });
      expect(JSON.stringify(group.AutoRollbackConfiguration)).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  test('a preview changes at once, without CodeDeploy', () => {
    expect(groups(preview)).toEqual([]);
    expect(JSON.stringify(preview.service.toJSON())).not.toContain('codedeploy');
  });

  test('every caller of a function uses its alias, except schedules, which have none', () => {
    const text = JSON.stringify([prod.service.toJSON(), prod.workers.toJSON()]);
    for (const [id, { Properties }] of Object.entries(
      findResources([prod.service, prod.workers], 'AWS::Lambda::Function'),
    )) {
      if (id.startsWith('AWSCDK') || id.startsWith('StageFirstKey')) continue;
      const name = String(Properties.FunctionName).replace('gatehouse-prod-', '');
      const isCalled = text.includes(`"Arn":{"Fn::GetAtt":["${id}","Arn"]}`);
      expect([name, isCalled]).toEqual([name, fixture.functions.some((fn) => fn.name === name && isScheduled(fn))]);
    }
  });

  test('workers that must run only once at a time have a reserved concurrency of one', () => {
    prod.workers.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'gatehouse-prod-letters-sweep',
      ReservedConcurrentExecutions: 1,
    });
    prod.workers.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: 50 },
    });
  });

  test('a paused stage has all triggers, but disabled', () => {
    const { service, workers } = synthesise(fixture, { stage: 'drill', paused: 'true' });
    const rules = Object.values(findResources([service, workers], 'AWS::Events::Rule'));
    const mappings = Object.values(findResources(workers, 'AWS::Lambda::EventSourceMapping'));
    expect(rules.map(({ Properties }) => Properties.State)).toEqual(Array(5).fill('DISABLED'));
    expect(mappings.map(({ Properties }) => Properties.Enabled)).toEqual(Array(3).fill(false));
  });

  test('the first key is created after its function is deployed', () => {
    prod.service.resourceCountIs('Custom::Trigger', 1);
    const { grants } = new Reading(prod, 'prod').functions.get('stage-first-key') ?? { grants: new Set() };
    expect([...grants]).toContain('secretsmanager:PutSecretValue on firstkeysecret');
  });
});

describe('The API', () => {
  const DEV = { stage: 'dev', mostRoutes: 300 };

  test('is throttled with the rates of the topology', () => {
    prod.service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      DefaultRouteSettings: {
        ThrottlingRateLimit: fixture.throttle.rate,
        ThrottlingBurstLimit: fixture.throttle.burst,
      },
    });
  });

  test('logs neither headers, nor queries, nor raw paths', () => {
    const [stage] = Object.values(findResources(prod.service, 'AWS::ApiGatewayV2::Stage'));
    const { Format } = stage?.Properties.AccessLogSettings as { Format: string };
    expect(Format).toContain('$context.routeKey');
    expect(Format).not.toMatch(/\$context\.path|header|query|authorizer/i);
  });

  test('leaves preflights to the areas, which know the origins of each environment', () => {
    const body = openApiBody(fixture, DEV);
    expect(body).not.toHaveProperty('x-amazon-apigateway-cors');
    for (const item of Object.values(body.paths)) expect(Object.keys(item)).toEqual(['x-amazon-apigateway-any-method']);
  });

  test('rejects two areas that declare the same path', () => {
    const http = fixture.functions.find(({ source }) => source.kind === 'http') ?? fail('an API');
    const rival = { ...http, name: 'rival-http', source: { kind: 'http' as const, paths: ['/houses/{house_id}'] } };
    const topology: Topology = { ...fixture, functions: [...fixture.functions, rival] };
    expect(() => openApiBody(topology, DEV)).toThrow(/houses-http and rival-http/);
  });

  test('names the quota to raise if there are too many routes', () => {
    expect(() => openApiBody(fixture, { stage: 'dev', mostRoutes: 2 })).toThrow(/routes.*-c mostRoutes/);
  });

  test('has the throttling rates that the stage configures', () => {
    const { service } = synthesise(fixture, { stage: 'busy', throttleRate: '2000', throttleBurst: '4000' });
    service.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
    });
  });
});

describe('Without CloudFront', () => {
  test('no edge secret is created or accepted', () => {
    expect(JSON.stringify(preview.data.toJSON())).not.toContain('gatehouse-pr-17-edge');
    expect(JSON.stringify(preview.service.toJSON())).toContain('"GATEHOUSE_EDGE_DIGESTS":""');
  });

  test('a stage under a host name of AWS shares no domain with any page', () => {
    expect(JSON.stringify(preview.service.toJSON())).toContain('"GATEHOUSE_REGISTRABLE_DOMAIN":""');
  });
});
