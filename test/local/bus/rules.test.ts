import { describe, expect, test } from '@jest/globals';
import * as events from '@aws-sdk/client-eventbridge';
import { fails, folder } from '../aws.ts';
import { dispatch, entry, newRule, put, start } from './start.ts';

const EventBusName = 'main';
const any = { source: [{ prefix: '' }] };

describe('buses and rules', () => {
  test('buses are created, described, listed and deleted; the default one always exists', async () => {
    const { client } = await start();
    const { EventBusArn } = await client.send(new events.CreateEventBusCommand({ Name: 'main', Description: 'd' }));
    expect(EventBusArn).toBe('arn:aws:events:us-east-1:000000000000:event-bus/main');
    await fails(client.send(new events.CreateEventBusCommand({ Name: 'main' })), 'ResourceAlreadyExistsException');
    const described = await client.send(new events.DescribeEventBusCommand({ Name: EventBusArn }));
    expect(described).toMatchObject({ Name: 'main', Arn: EventBusArn, Description: 'd' });
    expect((await client.send(new events.DescribeEventBusCommand({}))).Name).toBe('default');
    const list = async () =>
      (await client.send(new events.ListEventBusesCommand({}))).EventBuses?.map((bus) => bus.Name);
    expect(await list()).toEqual(['default', 'main']);
    await client.send(new events.DeleteEventBusCommand({ Name: 'main' }));
    expect(await list()).toEqual(['default']);
    await fails(client.send(new events.DeleteEventBusCommand({ Name: 'default' })), 'ValidationException');
    await fails(client.send(new events.DescribeEventBusCommand({ Name: 'main' })), 'ResourceNotFoundException');
  });

  test('rules and targets are replaced when they are written again', async () => {
    const { client, bus, delivered } = await start();
    const first = await newRule(client, { source: ['other'] });
    expect(await newRule(client, any)).toBe(first);
    expect(first).toBe('arn:aws:events:us-east-1:000000000000:rule/main/rule');
    const { Rules } = await client.send(new events.ListRulesCommand({ EventBusName }));
    expect(Rules).toMatchObject([{ Name: 'rule', Arn: first, State: 'ENABLED', EventBusName }]);
    const { Targets } = await client.send(new events.ListTargetsByRuleCommand({ Rule: 'rule', EventBusName }));
    expect(Targets).toEqual([{ Id: 't0', Arn: dispatch }]);
    await put(client, entry());
    expect(await bus.idle()).toBe(true);
    expect(delivered).toHaveLength(1);
  });

  test('a disabled rule matches nothing until it is enabled', async () => {
    const { client, bus, delivered } = await start();
    await newRule(client, any);
    await client.send(new events.DisableRuleCommand({ Name: 'rule', EventBusName }));
    expect((await client.send(new events.DescribeRuleCommand({ Name: 'rule', EventBusName }))).State).toBe('DISABLED');
    await put(client, entry({ n: 1 }));
    await client.send(new events.EnableRuleCommand({ Name: 'rule', EventBusName }));
    await put(client, entry({ n: 2 }));
    expect(await bus.idle()).toBe(true);
    expect(delivered.map(({ event }) => event.detail)).toEqual([{ n: 2 }]);
  });

  test('a rule can be deleted after its targets, and a bus after its rules', async () => {
    const { client } = await start();
    await newRule(client, any);
    const rule = { Name: 'rule', EventBusName };
    await fails(client.send(new events.DeleteRuleCommand(rule)), 'ValidationException');
    await fails(client.send(new events.DeleteEventBusCommand({ Name: 'main' })), 'ValidationException');
    const remove = { Rule: 'rule', EventBusName, Ids: ['t0', 'other'] };
    const removed = await client.send(new events.RemoveTargetsCommand(remove));
    expect(removed).toMatchObject({ FailedEntryCount: 1, FailedEntries: [{ TargetId: 'other' }] });
    await client.send(new events.DeleteRuleCommand(rule));
    await fails(client.send(new events.DescribeRuleCommand(rule)), 'ResourceNotFoundException');
    await client.send(new events.DeleteEventBusCommand({ Name: 'main' }));
  });

  test('rules are listed page by page and by prefix', async () => {
    const { client } = await start();
    for (const name of ['b1', 'a1', 'b2']) await newRule(client, any, { name });
    const page = await client.send(new events.ListRulesCommand({ EventBusName, Limit: 2 }));
    expect(page.Rules?.map(({ Name }) => Name)).toEqual(['a1', 'b1']);
    const next = await client.send(new events.ListRulesCommand({ EventBusName, NextToken: page.NextToken }));
    expect(next.Rules?.map(({ Name }) => Name)).toEqual(['b2']);
    expect(next.NextToken).toBeUndefined();
    const prefixed = await client.send(new events.ListRulesCommand({ EventBusName, NamePrefix: 'b' }));
    expect(prefixed.Rules).toHaveLength(2);
  });

  test('an invalid pattern is rejected with a reason, and the rule is unchanged', async () => {
    const { client } = await start();
    await newRule(client, any);
    const bad = { Name: 'rule', EventBusName, EventPattern: '{"source":"x"}' };
    const call = client.send(new events.PutRuleCommand(bad));
    await fails(call, 'InvalidEventPatternException');
    await expect(call).rejects.toThrow('source must be an object or an array');
    const rule = await client.send(new events.DescribeRuleCommand({ Name: 'rule', EventBusName }));
    expect(rule.EventPattern).toBe(JSON.stringify(any));
    const input = { Rule: 'rule', EventBusName, Targets: [{ Id: 'x', Arn: dispatch, Input: '{}' }] };
    await fails(client.send(new events.PutTargetsCommand(input)), 'ValidationException');
  });

  test('a pattern can be tried on an event', async () => {
    const { client } = await start();
    const event = { id: '1', account: '0', source: 's', time: 't', region: 'r', resources: [], 'detail-type': 'd' };
    const ask = (EventPattern: object, Event: object = event) =>
      client.send(
        new events.TestEventPatternCommand({
          EventPattern: JSON.stringify(EventPattern),
          Event: JSON.stringify(Event),
        }),
      );
    expect((await ask({ source: ['s'] })).Result).toBe(true);
    expect((await ask({ source: ['x'] })).Result).toBe(false);
    await fails(ask({ source: ['s'] }, { id: '1' }), 'ValidationException');
    await fails(ask({ source: [{ like: 's' }] }), 'InvalidEventPatternException');
  });

  test('buses, rules and targets survive a restart', async () => {
    const dataFolder = folder();
    const before = await start({ dataFolder });
    await newRule(before.client, any);
    await before.bus.close();
    const { client, bus, delivered } = await start({ dataFolder });
    await put(client, entry());
    expect(await bus.idle()).toBe(true);
    expect(delivered).toMatchObject([{ arn: dispatch }]);
  });
});
