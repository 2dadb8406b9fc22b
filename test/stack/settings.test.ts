import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { readFileSync } from 'node:fs';

import { computeUsage, isOver, checkUsage } from '../../lib/stack/limits.ts';
import { stageSettings } from '../../lib/stack/settings.ts';
import { detailTypes } from '../../lib/stack/triggers.ts';
import { topology } from '../../lib/topology/index.ts';
import { findResources, synthesise } from './fixture.ts';

const TABLE = 'arn:aws:dynamodb:eu-west-1:111111111111:table/restored';
const CERTIFICATE = 'arn:aws:acm:eu-west-1:111111111111:certificate/3';
const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
  context: { stages: Record<string, Record<string, unknown>> };
};

describe('Settings', () => {
  const of = (context: Record<string, unknown>) => stageSettings(new App({ context }).node);

  test.each([
    ['a stage name that AWS would not take', { stage: 'Prod_1' }, /stage/],
    ['half of a custom domain', { stage: 'dev', domain: 'api.example.com' }, /certificateArn/],
    ['half of an adopted table', { stage: 'dev', tableArn: TABLE }, /tableStreamArn/],
    ['CloudFront without its names', { stage: 'dev', cloudfront: true }, /originDomain/],
    ['a network that is none', { stage: 'dev', consoleNetworks: '192.0.2.0/33' }, /consoleNetworks: must be CIDRs/],
    ['a certificate of the console without a domain', { stage: 'dev', consoleCertificateArn: CERTIFICATE }, /domain/],
    ['an address that is none', { stage: 'dev', alarmEmail: 'nobody' }, /alarmEmail/],
    ['an unknown setting in cdk.json', { stage: 'dev', stages: { dev: { colour: 'red' } } }, /colour/],
  ])('reject %s and name it', (_, context, message) => {
    expect(() => of(context)).toThrow(message);
  });

  test('are read from cdk.json, and a flag overrides them', () => {
    const stages = { qa: { protect: true, logLevel: 'warn' } };
    expect(of({ stage: 'qa', stages })).toMatchObject({ protect: true, logLevel: 'warn' });
    expect(of({ stage: 'qa', stages, logLevel: 'debug' })).toMatchObject({ protect: true, logLevel: 'debug' });
  });

  test('null in cdk.json is the same as absence', () => {
    const stages = {
      prod: { alarmEmail: null, mailFrom: null, domain: null, certificateArn: null, throttleRate: null },
    };
    expect(of({ stage: 'prod', stages })).toEqual(of({ stage: 'prod', stages: {} }));
    expect(of({ stage: 'prod', stages, alarmEmail: 'ops@example.com' })).toMatchObject({
      alarmEmail: 'ops@example.com',
    });
  });

  test('a protected stage has a dashboard by default, a preview does not', () => {
    expect(of({ stage: 'prod' })).toMatchObject({ protect: true, dashboard: true });
    expect(of({ stage: 'pr-17' })).toMatchObject({ protect: false, dashboard: false });
    expect(of({ stage: 'pr-17', dashboard: 'true' })).toMatchObject({ protect: false, dashboard: true });
  });

  test('rejects an event pattern that EventBridge would reject', () => {
    const names = Array.from({ length: 200 }, (_, at) => `something.happened_${at}`);
    expect(() => detailTypes(names)).toThrow(/prefixes/);
  });
});

describe('The stages of cdk.json', () => {
  const { stages } = context;

  test('are dev, staging and prod, of which the last two are protected', () => {
    const protects = Object.keys(stages).map((stage) => [
      stage,
      stageSettings(new App({ context: { stage, stages } }).node).protect,
    ]);
    expect(protects).toEqual([
      ['dev', false],
      ['staging', true],
      ['prod', true],
    ]);
  });

  test.each(Object.keys(stages))('%s synthesises without a finding of cdk-nag, within all limits', (stage) => {
    const nothing = { alarmEmail: undefined, mailFrom: undefined };
    const made = synthesise(topology, { stage, stages, ...nothing }, { nag: true });
    const usage = computeUsage(made.stacks);
    expect(usage.filter(isOver)).toEqual([]);
    expect(findResources(made.workers, 'AWS::CloudWatch::Dashboard')).not.toEqual({});
    expect(findResources(made.service, 'AWS::ApiGatewayV2::DomainName')).toEqual({});
  });
});

test('a limit has a warning from 60 % on and fails from 90 % on; metrics of a dashboard and alarms can be used up', () => {
  const where = 'all';
  const checkRoutes = (used: number) => checkUsage({ limit: 'routes of the API', where, used, most: 300 });
  expect([179, 180, 269, 270].map(checkRoutes)).toEqual(['ok', 'near', 'near', 'over']);
  expect(isOver({ limit: 'metrics of a dashboard', where, used: 50, most: 50 })).toBe(false);
  expect(isOver({ limit: 'metrics of a dashboard', where, used: 51, most: 50 })).toBe(true);
});
