import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { examine, readPlace } from '../../lib/doctor/doctor.ts';
import { type Finding, isComplete } from '../../functions/record/modules/environment-attention/public.ts';
import { stageSettings } from '../../lib/stack/settings.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import {
  ACCOUNT,
  CERTIFICATE,
  completeWorld,
  ISSUED,
  NOW,
  shellOf,
  startFakeAws,
  TARGET,
  type World,
} from './fake-aws.ts';

const CLOUDFRONT = 'd111.cloudfront.net';
const EDGE_CERTIFICATE = 'arn:aws:acm:us-east-1:111111111111:certificate/2';
const record = { Name: '_a.auth.example.com.', Type: 'CNAME', Value: '_b.acm-validations.aws.' };
const pending = {
  Status: 'PENDING_VALIDATION',
  DomainName: 'auth.example.com',
  DomainValidationOptions: [{ ValidationStatus: 'PENDING_VALIDATION', ResourceRecord: record }],
};
const given = { ...process.env };

let names: NameServer;
let aws: Awaited<ReturnType<typeof startFakeAws>>;
let world: World;

beforeAll(async () => {
  names = await startNameServer();
  world = {} as World;
  aws = await startFakeAws(world);
  Object.assign(process.env, shellOf(aws.url));
});
afterEach(() => names.clear());
afterAll(() => {
  process.env = given;
  aws.close();
  names.close();
});

/** A load that the quotas of a new account cover. */
const LOAD = { expectedSignIns: 20, expectedRefreshes: 150, expectedChecks: 200 };

async function found(
  change: (world: World) => void = () => undefined,
  chosen: Record<string, unknown> = {},
): Promise<Finding[]> {
  aws.regions.length = 0;
  Object.assign(world, completeWorld(aws.url));
  names.alias('localhost', TARGET);
  change(world);
  const context: Record<string, unknown> = { stage: 'prod', ...chosen };
  return examine({
    place: await readPlace(),
    settings: stageSettings({ tryGetContext: (name) => context[name] }),
    servers: [names.address],
    now: NOW,
  });
}

const computeStates = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ name, state }) => [name, state]));

describe('The examination of a stage', () => {
  test('finds nothing missing on a complete stage', async () => {
    const findings = await found();
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    const examined = findings.map(({ name }) => name).join(' ');
    expect(examined).toBe(
      'stacks lambda-quota alarm-address mail-sender mail-sending sms certificate dns passkeys response console',
    );
    expect(isComplete(findings)).toBe(true);
    expect(await readPlace()).toEqual({ account: ACCOUNT, region: 'eu-west-1', partition: 'aws' });
  });

  test('explains what a change of the domain does to passkeys, before it is deployed', async () => {
    const findings = await found(() => undefined, { domain: 'login.example.com', certificateArn: CERTIFICATE });
    const { state, text, next } = findings.find(({ name }) => name === 'passkeys') ?? {};
    expect([state, text]).toEqual(['note', expect.stringMatching(/to localhost; .*login\.example\.com no browser/)]);
    expect(next?.join(' ')).toContain('enable another sign-in method');
  });

  test('names each quota that the load of twenty million users exceeds, with the request for a higher one', async () => {
    const findings = await found(() => undefined, {
      expectedSignIns: 300,
      expectedRefreshes: 3_000,
      expectedChecks: 5_000,
    });
    const short = findings.filter(({ state }) => state !== 'ok');
    expect(short.map(({ name }) => name)).toEqual(['throttle', 'quota-table-reads', 'quota-invocations', 'quota-mail']);
    expect(short.map(({ text }) => text)).toEqual([
      expect.stringMatching(/only 500 requests a second; .* needs 9800$/),
      expect.stringMatching(/^only 40000 read units a second of a table; .* needs \d{5}$/),
      expect.stringMatching(/^only 10000 invocations a second .* needs 11600$/),
      expect.stringMatching(/^only 14 mails a second by SES; .* needs 100$/),
    ]);
    expect(short[0]?.next?.join()).toContain('"throttleRate"');
    for (const [at, code] of ['L-CF0CBE56', 'L-B99A9384', 'L-CDEF9B6B'].entries())
      expect(short[at + 1]?.next?.join()).toContain(`--quota-code ${code} --desired-value`);
  });

  test('compares the quotas of a stage that states a load, and of no other', async () => {
    const quotas = async (chosen: object) =>
      (await found(() => undefined, { ...chosen })).filter(({ name }) => /^(quota-|throttle)/.test(name));
    expect(await quotas({})).toEqual([]);
    expect((await quotas(LOAD)).map(({ name, state }) => [name, state])).toEqual(
      [
        'throttle',
        'quota-table-reads',
        'quota-table-writes',
        'quota-api',
        'quota-kms',
        'quota-invocations',
        'quota-mail',
      ].map((name) => [name, 'ok']),
    );
  });

  const stack = (status: string) => (world: World) => {
    world.stacks['gatehouse-prod-service'] = { ...world.stacks['gatehouse-prod-service'], status };
  };
  const identity = (name: string, shape: object) => (world: World) => {
    world.identities = { [name]: { VerifiedForSendingStatus: false, ...shape } };
  };
  const ses = (change: object) => (world: World) => {
    world.ses = { ...world.ses, ...change };
  };
  test.each<[string, (world: World) => void, string, RegExp, RegExp]>([
    [
      'stack that is not deployed',
      (w) => delete w.stacks['gatehouse-prod-workers'],
      'stacks',
      /workers/,
      /cdk deploy -c stage=prod/,
    ],
    ['first deployment that failed', stack('ROLLBACK_COMPLETE'), 'stacks', /ROLLBACK_COMPLETE/, /delete the stack/],
    ['deployment that was rolled back', stack('UPDATE_ROLLBACK_COMPLETE'), 'stacks', /service/, /release before/],
    ['deployment that runs', stack('UPDATE_IN_PROGRESS'), 'stacks', /UPDATE_IN_PROGRESS/, /again when it has ended/],
    [
      'Lambda quota of a new account',
      (w) => (w.executions = 10),
      'lambda-quota',
      /only 10 .* needs 1000/,
      /L-B99A9384/,
    ],
    ['alarm without receiver', (w) => (w.subscriptions = []), 'alarm-address', /no one/, /"alarmEmail"/],
    [
      'unconfirmed alarm address',
      (w) => w.subscriptions.push({ SubscriptionArn: 'PendingConfirmation', Endpoint: 'late@example.com' }),
      'alarm-address',
      /not confirmed: late@example.com/,
      /sns subscribe .*gatehouse-prod-alarms/,
    ],
    [
      'stage without sender',
      (w) => (w.mailFrom = 'Gatehouse <no-reply@gatehouse.invalid>'),
      'mail-sender',
      /no sender/,
      /"mailFrom"/,
    ],
    [
      'sender that SES does not know',
      (w) => (w.identities = {}),
      'mail-sender',
      /knows neither/,
      /identity mail.example.com/,
    ],
    ['sender without an address', (w) => (w.mailFrom = 'Acme'), 'mail-sender', /no address/, /cdk.json/],
    [
      'unverified domain of the sender',
      identity('mail.example.com', { IdentityType: 'DOMAIN', DkimAttributes: { Tokens: ['t1', 't2'] } }),
      'mail-sender',
      /mail.example.com is not verified/,
      /t2._domainkey.mail.example.com CNAME t2.dkim.amazonses.com/,
    ],
    [
      'unverified address of the sender',
      identity('no-reply@mail.example.com', { IdentityType: 'EMAIL_ADDRESS' }),
      'mail-sender',
      /no-reply@mail.example.com is not verified/,
      /Open the link/,
    ],
    [
      'SES sandbox',
      ses({ ProductionAccessEnabled: false, SendQuota: { Max24HourSend: 200 } }),
      'mail-sending',
      /sandbox.*200 a day/,
      /put-account-details/,
    ],
    ['paused SES account', ses({ SendingEnabled: false }), 'mail-sending', /paused/, /console/],
    ['SES account under review', ses({ EnforcementStatus: 'PROBATION' }), 'mail-sending', /reviews/, /case/],
    [
      'certificate that is not issued',
      (w) => (w.certificates = { [CERTIFICATE]: pending }),
      'certificate',
      /not issued/,
      /_a.auth.example.com. CNAME _b/,
    ],
    [
      'certificate that failed',
      (w) => (w.certificates = { [CERTIFICATE]: { Status: 'VALIDATION_TIMED_OUT', DomainName: 'auth.example.com' } }),
      'certificate',
      /VALIDATION_TIMED_OUT/,
      /request-certificate --domain-name auth.example.com/,
    ],
    [
      'certificate that was not renewed',
      (w) => (w.certificates = { [CERTIFICATE]: { ...ISSUED, NotAfter: NOW / 1_000 + 20 * 86_400 } }),
      'certificate',
      /ends in 20 days/,
      /renews/,
    ],
    ['name that does not exist', () => names.clear(), 'dns', /localhost does not exist/, /localhost CNAME d-abc/],
    [
      'name that points elsewhere',
      () => {
        names.clear();
        names.address4('localhost', '192.0.2.1');
        names.address4(TARGET, '192.0.2.2');
      },
      'dns',
      /points at 192.0.2.1/,
      /localhost CNAME d-abc/,
    ],
    ['API that does not respond', (w) => (w.apiStatus = 503), 'response', /responds with 503/, /log group/],
  ])('reports what to do about a missing part: %s', async (_, change, name, text, next) => {
    const findings = await found(change);
    const wrong = findings.filter(({ state }) => state !== 'ok');
    expect(wrong.map((one) => [one.name, one.state])).toEqual([[name, 'missing']]);
    expect(wrong[0]?.text).toMatch(text);
    expect(wrong[0]?.next?.join('\n')).toMatch(next);
    expect(isComplete(findings)).toBe(false);
  });

  test('accepts an alias record of Route 53, which resolves to the addresses', async () => {
    const findings = await found(() => {
      names.clear();
      names.address4('localhost', '192.0.2.7');
      names.address4(TARGET, '192.0.2.6');
      names.address4(TARGET, '192.0.2.7');
    });
    expect(computeStates(findings)).toMatchObject({ dns: 'ok' });
  });

  test('before the first deployment reports what the account lacks, and the DNS record for the certificate', async () => {
    const findings = await found(
      (empty) => {
        Object.assign(empty, { stacks: {}, parameters: [], mailFrom: undefined, domainNames: {} });
        empty.certificates = { [CERTIFICATE]: pending };
      },
      { domain: 'auth.example.com', certificateArn: CERTIFICATE, mailFrom: 'Acme <no-reply@mail.example.com>' },
    );
    expect(computeStates(findings)).toEqual({
      bootstrap: 'missing',
      stacks: 'missing',
      'lambda-quota': 'ok',
      'mail-sender': 'ok',
      'mail-sending': 'ok',
      sms: 'ok',
      certificate: 'missing',
      dns: 'note',
    });
    expect(findings[0]?.next).toEqual([`$ npx cdk bootstrap aws://${ACCOUNT}/eu-west-1`]);
  });

  test('behind CloudFront checks both names and both certificates, each in its region', async () => {
    const findings = await found(
      (edged) => {
        edged.stacks['gatehouse-prod-edge'] = {
          status: 'CREATE_COMPLETE',
          outputs: { DistributionDomainName: CLOUDFRONT },
        };
        edged.domainNames = { 'origin.example.com': CERTIFICATE };
        edged.certificates = { [CERTIFICATE]: ISSUED, [EDGE_CERTIFICATE]: { ...pending, DomainName: 'localhost' } };
        names.clear();
        names.alias('localhost', CLOUDFRONT);
        names.alias('origin.example.com', 'elsewhere.example.com');
      },
      {
        cloudfront: true,
        domain: 'auth.example.com',
        originDomain: 'origin.example.com',
        certificateArn: CERTIFICATE,
        edgeCertificateArn: EDGE_CERTIFICATE,
      },
    );
    const of = (name: string) =>
      findings.filter((one) => one.name === name).map(({ state, text }) => `${state} ${text}`);
    expect(of('certificate')).toEqual([
      'ok that of localhost is issued, for 200 more days',
      'missing that of localhost is not issued yet',
    ]);
    expect(of('dns')).toEqual([
      'ok localhost points at the stage',
      'missing origin.example.com points at elsewhere.example.com',
    ]);
    expect(aws.regions).toEqual(expect.arrayContaining(['acm eu-west-1', 'acm us-east-1', 'cloudformation us-east-1']));
  });

  test('reports missing SMS settings as a note only', async () => {
    const findings = await found((w) => (w.sms = { isInSandbox: true, spend: 1 }));
    expect(computeStates(findings)).toMatchObject({ sms: 'note' });
    expect(isComplete(findings)).toBe(true);
  });

  test('a preview needs neither a name of its own, nor a receiver of alarms, nor the quota of production', async () => {
    const findings = await found(
      (w) => {
        const { 'gatehouse-prod-data': data, ...others } = w.stacks;
        w.stacks = {
          ...others,
          'gatehouse-pr-17-data': data as World['stacks'][string],
          'gatehouse-pr-17-service': { status: 'CREATE_COMPLETE', outputs: { ApiUrl: aws.url } },
          'gatehouse-pr-17-workers': { status: 'CREATE_COMPLETE' },
          'gatehouse-pr-17-schedules': { status: 'CREATE_COMPLETE' },
        };
        Object.assign(w, { subscriptions: [], executions: 300 });
      },
      { stage: 'pr-17' },
    );
    expect(computeStates(findings)).toMatchObject({
      'alarm-address': 'note',
      domain: 'note',
      'lambda-quota': 'ok',
      response: 'ok',
    });
    expect(isComplete(findings)).toBe(true);
  });

  test('reports resources that it may not read, examines the others, and does not call the stage complete', async () => {
    const findings = await found((w) => (w.denied = ['lambda', 'acm']));
    const unread = findings.filter(({ state }) => state === 'unread');
    expect(unread.map(({ name }) => name)).toEqual(['lambda-quota', 'mail-sender', 'certificate']);
    for (const { text } of unread) expect(text).toMatch(/AccessDeniedException: ada is not authorized/);
    expect(computeStates(findings)).toMatchObject({ stacks: 'ok', 'mail-sending': 'ok', dns: 'ok' });
    expect(isComplete(findings)).toBe(false);
  });
});
