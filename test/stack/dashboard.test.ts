import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

import { METRICS } from '../../functions/kernel/metrics.ts';
import { fixture, findResources, synthesise } from './fixture.ts';

interface Widget {
  type: string;
  properties: { title?: string; query?: string; alarms?: unknown[]; metrics?: unknown[][] };
}

const prod = synthesise(fixture, { stage: 'prod' });
const dashboard = Object.values(findResources(prod.workers, 'AWS::CloudWatch::Dashboard'))[0]?.Properties;
const [, parts] = (dashboard?.DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
const body = parts.map((part) => (typeof part === 'string' ? part : 'resolved')).join('');
const { widgets } = JSON.parse(body) as { widgets: Widget[] };
const queries = widgets.flatMap(({ properties: { query = '' } }) => query);

describe('The dashboard of a stage', () => {
  test('has the name of the stage, and shows sign-ins, errors, latency, deliveries and queue ages', () => {
    expect(dashboard?.DashboardName).toBe('gatehouse-prod-overview');
    const titles = widgets.map(({ properties }) => properties.title);
    for (const title of [
      'Sign-ins, and attempts that failed',
      'Last errors',
      'Latency',
      'Attempts at webhooks',
      'How long the oldest waits',
    ])
      expect(titles).toContain(title);
  });

  test('shows every alarm of the stage that notifies', () => {
    const alarms = Object.values(findResources([prod.service, prod.workers], 'AWS::CloudWatch::Alarm')).filter(
      ({ Properties }) => Properties.AlarmActions !== undefined,
    );
    expect(alarms.length).toBeGreaterThan(8);
    expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(alarms.length);
    for (const { Properties } of alarms) expect(body).toContain(`:alarm:${String(Properties.AlarmName)}"`);
  });

  test('adds no metric, since metrics cost money', () => {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    const named = metrics.filter(([namespace]) => typeof namespace === 'string');
    expect(named.length).toBeGreaterThan(15);
    for (const [namespace, name] of named) {
      expect(String(namespace).startsWith('AWS/') || METRICS.includes(name as (typeof METRICS)[number])).toBe(true);
    }
  });

  test('queries the log for figures that the functions write', () => {
    const figures = new Set(
      queries.flatMap((query) => [...query.matchAll(/sum\((\w+)\)/g)].map(([, name]) => name ?? '')),
    );
    expect(figures.size).toBeGreaterThan(6);
    const sources = globSync('functions/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const counting = sources.filter((text) => text.includes("unit: 'Count'")).join('');
    const unknown = [...figures].filter((name) => !new RegExp(`\\b${name}: (figure\\(|\\{ value:)`).test(counting));
    expect(unknown).toEqual([]);
  });

  test('is left out of a preview, since CloudWatch charges for each dashboard after the third of an account', () => {
    expect(findResources(synthesise(fixture, { stage: 'pr-17' }).workers, 'AWS::CloudWatch::Dashboard')).toEqual({});
  });
});
