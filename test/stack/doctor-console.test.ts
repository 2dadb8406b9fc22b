import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { examine, readPlace } from '../../lib/doctor/doctor.ts';
import { stageSettings } from '../../lib/stack/settings.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { CERTIFICATE, completeWorld, ISSUED, NOW, shellOf, startFakeAws, TARGET, type World } from './fake-aws.ts';

const CONSOLE_CERTIFICATE = 'arn:aws:acm:eu-west-1:111111111111:certificate/3';
const given = { ...process.env };
const world = {} as World;
let names: NameServer;
let aws: Awaited<ReturnType<typeof startFakeAws>>;

beforeAll(async () => {
  names = await startNameServer();
  aws = await startFakeAws(world);
  Object.assign(process.env, shellOf(aws.url));
});
afterAll(() => {
  process.env = given;
  aws.close();
  names.close();
});

/** The findings about the console and about names, as lines. */
async function examineConsole(change: (world: World) => void, chosen: Record<string, unknown> = {}): Promise<string[]> {
  Object.assign(world, completeWorld(aws.url));
  names.clear();
  names.alias('localhost', TARGET);
  change(world);
  const context: Record<string, unknown> = { stage: 'prod', ...chosen };
  const settings = stageSettings({ tryGetContext: (name) => context[name] });
  const findings = await examine({ place: await readPlace(), settings, servers: [names.address], now: NOW });
  return findings
    .filter(({ name }) => ['console', 'dns', 'certificate'].includes(name))
    .map(({ name, state, text }) => `${state} ${name}: ${text.replace(aws.url, '')}`);
}

test.each([
  [401, 'ok console: /console responds'],
  [403, 'note console: /console is not open to this network'],
  [500, 'missing console: /console responds with 500'],
])('a console that responds with %d is reported', async (status, line) => {
  expect(await examineConsole((w) => (w.consoleStatus = status))).toContain(line);
});

test('the name and the certificate of the console are checked, before the deployment and after', async () => {
  const settings = {
    domain: 'auth.example.com',
    certificateArn: CERTIFICATE,
    consoleCertificateArn: CONSOLE_CERTIFICATE,
  };
  const certificates = {
    [CERTIFICATE]: ISSUED,
    [CONSOLE_CERTIFICATE]: { ...ISSUED, DomainName: 'console.auth.example.com' },
  };
  const before = await examineConsole((w) => (w.certificates = certificates), settings);
  expect(before).toEqual(
    expect.arrayContaining([
      'ok certificate: that of console.auth.example.com is issued, for 200 more days',
      'note dns: console.auth.example.com gets its address from the deployment',
    ]),
  );
  const deployed = (w: World): void => {
    w.certificates = certificates;
    const { outputs, ...service } = w.stacks['gatehouse-prod-service'] ?? { status: 'UPDATE_COMPLETE' };
    const ConsoleDomainTarget = 'console.aws.example';
    w.stacks['gatehouse-prod-service'] = { ...service, outputs: { ...outputs, ConsoleDomainTarget } };
  };
  // The API and the console of the fake have the same host, which points at the API only.
  const names = (await examineConsole(deployed, settings)).filter((line) => line.includes('dns'));
  expect(names).toEqual(['ok dns: localhost points at the stage', `missing dns: localhost points at ${TARGET}`]);
});
