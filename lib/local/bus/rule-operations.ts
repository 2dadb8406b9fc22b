import * as z from 'zod';
import { AwsError, operation, page } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { InvalidPattern } from './value-matcher.ts';
import { compilePattern } from './pattern.ts';
import type { EventMatcher } from './pattern.ts';
import { busArn, defaultBus, ruleArn } from './rule-store.ts';
import type { Bus, Rule, RuleStore } from './rule-store.ts';

const name = z
  .string()
  .max(256)
  .regex(/^[.\-_A-Za-z0-9]+$/, 'Member must be letters, digits, ., - or _');
const EventBusName = z.string().min(1).max(1600).optional();
const NamePrefix = z.string().min(1).max(256).default('');
const paging = { Limit: z.int().min(1).max(100).default(100), NextToken: z.string().min(1).max(2048).optional() };
const description = z.string().max(512).default('');
const pattern = z.string().max(4096);
const onRule = z.strictObject({ Name: name, EventBusName });

/** Compiles a pattern of the wire. @throws AwsError InvalidEventPatternException with the reason */
export function parsePattern(text: string): EventMatcher {
  try {
    return compilePattern(text);
  } catch (error) {
    if (error instanceof InvalidPattern) throw new AwsError('InvalidEventPatternException', error.message);
    throw error;
  }
}

/** Operations on buses, rules and targets. */
export function ruleOperations(store: RuleStore, now: () => number): Record<string, Operation> {
  return { ...buses(store, now), ...rules(store), ...targets(store) };
}

function buses(store: RuleStore, now: () => number): Record<string, Operation> {
  const presentBus = (bus: Bus) => ({
    Name: bus.name,
    Arn: busArn(bus.name),
    Description: bus.description,
    CreationTime: bus.created / 1000,
    LastModifiedTime: bus.created / 1000,
  });
  return {
    CreateEventBus: operation(z.strictObject({ Name: name, Description: description }), ({ Name, Description }) => {
      store.createBus({ name: Name, description: Description, created: now() });
      return { EventBusArn: busArn(Name), Description };
    }),
    DescribeEventBus: operation(z.strictObject({ Name: EventBusName }), ({ Name }) => presentBus(store.bus(Name))),
    ListEventBuses: operation(z.strictObject({ NamePrefix, ...paging }), ({ NamePrefix, Limit, NextToken }) => {
      const all = store.buses().filter((bus) => bus.name.startsWith(NamePrefix));
      const { rows, next } = page(all, (bus) => bus.name, Limit, NextToken);
      return { EventBuses: rows.map(presentBus), NextToken: next };
    }),
    DeleteEventBus: operation(z.strictObject({ Name: name }), ({ Name }) => {
      if (Name === defaultBus) throw new AwsError('ValidationException', 'Cannot delete event bus default.');
      if (store.rules(Name).length > 0) {
        throw new AwsError('ValidationException', "Event bus can't be deleted since it has rules.");
      }
      store.deleteBus(Name);
      return undefined;
    }),
  };
}

function rules(store: RuleStore): Record<string, Operation> {
  const presentRule = (rule: Rule) => ({
    Name: rule.name,
    Arn: ruleArn(rule),
    EventPattern: rule.pattern,
    State: rule.state,
    Description: rule.description,
    EventBusName: rule.bus,
  });
  const setState = (state: Rule['state']) =>
    operation(onRule, ({ Name, EventBusName }) => {
      store.putRule({ ...store.rule(store.bus(EventBusName).name, Name), state });
      return undefined;
    });
  return {
    PutRule: operation(
      z.strictObject({
        Name: name.max(64),
        EventBusName,
        EventPattern: pattern,
        State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
        Description: description,
        RoleArn: z.string().optional(),
      }),
      (input) => {
        parsePattern(input.EventPattern);
        const bus = store.bus(input.EventBusName).name;
        const rule = { bus, name: input.Name, pattern: input.EventPattern, state: input.State };
        store.putRule({ ...rule, description: input.Description });
        return { RuleArn: ruleArn(rule) };
      },
    ),
    DescribeRule: operation(onRule, ({ Name, EventBusName }) =>
      presentRule(store.rule(store.bus(EventBusName).name, Name)),
    ),
    ListRules: operation(z.strictObject({ EventBusName, NamePrefix, ...paging }), (input) => {
      const all = store
        .rules(store.bus(input.EventBusName).name)
        .filter((rule) => rule.name.startsWith(input.NamePrefix));
      const { rows, next } = page(all, (rule) => rule.name, input.Limit, input.NextToken);
      return { Rules: rows.map(presentRule), NextToken: next };
    }),
    EnableRule: setState('ENABLED'),
    DisableRule: setState('DISABLED'),
    DeleteRule: operation(z.strictObject({ Name: name, EventBusName, Force: z.boolean().optional() }), (input) => {
      const bus = store.bus(input.EventBusName).name;
      if (store.targets(bus, input.Name).length > 0) {
        throw new AwsError('ValidationException', "Rule can't be deleted since it has targets.");
      }
      store.deleteRule(bus, input.Name);
      return undefined;
    }),
    TestEventPattern: operation(z.strictObject({ EventPattern: pattern, Event: z.string() }), (input) => ({
      Result: parsePattern(input.EventPattern)(envelope(input.Event)),
    })),
  };
}

const required = ['id', 'detail-type', 'source', 'account', 'time', 'region', 'resources'];

/** An event in the form that TestEventPattern accepts. @throws AwsError ValidationException */
function envelope(text: string): unknown {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new AwsError('ValidationException', 'Parameter Event is not valid. Reason: it is not JSON.');
  }
  const members = typeof event === 'object' && event !== null ? event : {};
  const missing = required.filter((member) => !Object.hasOwn(members, member));
  if (missing.length > 0) {
    throw new AwsError('ValidationException', `Parameter Event is not valid. Reason: it lacks ${missing.join(', ')}.`);
  }
  return event;
}

/** Members that would transform the event (Input, InputTransformer) are not supported, and therefore rejected. */
const target = z.strictObject({
  Id: name.max(64),
  Arn: z.string().regex(/^arn:/, 'Member must be an ARN').max(1600),
  RoleArn: z.string().max(1600).optional(),
  RetryPolicy: z
    .strictObject({
      MaximumRetryAttempts: z.int().min(0).max(185).optional(),
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400).optional(),
    })
    .optional(),
  DeadLetterConfig: z.strictObject({ Arn: z.string().max(1600).optional() }).optional(),
});

function targets(store: RuleStore): Record<string, Operation> {
  return {
    PutTargets: operation(
      z.strictObject({ Rule: name, EventBusName, Targets: z.array(target).min(1).max(100) }),
      (input) => {
        const rule = store.rule(store.bus(input.EventBusName).name, input.Rule);
        for (const one of input.Targets) store.putTarget(rule.bus, rule.name, one);
        return { FailedEntryCount: 0, FailedEntries: [] };
      },
    ),
    ListTargetsByRule: operation(z.strictObject({ Rule: name, EventBusName, ...paging }), (input) => {
      const rule = store.rule(store.bus(input.EventBusName).name, input.Rule);
      const { rows, next } = page(store.targets(rule.bus, rule.name), ({ Id }) => Id, input.Limit, input.NextToken);
      return { Targets: rows, NextToken: next };
    }),
    RemoveTargets: operation(
      z.strictObject({
        Rule: name,
        EventBusName,
        Ids: z.array(name.max(64)).min(1).max(100),
        Force: z.boolean().optional(),
      }),
      (input) => {
        const rule = store.rule(store.bus(input.EventBusName).name, input.Rule);
        const unknown = input.Ids.filter((id) => !store.removeTarget(rule.bus, rule.name, id));
        return {
          FailedEntryCount: unknown.length,
          FailedEntries: unknown.map((TargetId) => ({
            TargetId,
            ErrorCode: 'ResourceNotFoundException',
            ErrorMessage: `Target ${TargetId} does not exist.`,
          })),
        };
      },
    ),
  };
}
