import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

import type { Topology } from '../topology/model.ts';
import { stageSettings } from './settings.ts';
import { addStage } from './stage.ts';

/** A synthesised template, with the members that the limits need. */
export interface TemplateJson {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Parameters?: Record<string, unknown>;
}

/** The largest use of a hard limit of AWS in a stage. */
export interface Usage {
  limit: string;
  /** The stack or resource that uses the largest share of the limit. */
  where: string;
  used: number;
  most: number;
}

/** The shares of a limit from which the check warns, and from which it fails: limits that AWS does not raise leave no way on. */
const SHARES = { near: 0.6, over: 0.9 };
/** Maximum alarms of a stage that notify, a limit of this project, because too many alarms are ignored. */
const MOST_ALARMS = 14;
/** Assumed length of a rendered intrinsic function: an ARN with a long name. */
const RENDERED = 'x'.repeat(100);

/**
 * The templates of a stage by the last part of their names, with placeholders for code; offline. They are counted, so neither are they
 * validated nor is it recorded where each construct was made, which are most of the time of a synthesis.
 */
export function synthesizeTemplates(
  topology: Topology,
  context: Record<string, unknown>,
): Record<string, TemplateJson> {
  const app = new App({
    context: { ...context, 'aws:cdk:disable-stack-trace': true },
    builtinCloudFormationValidation: false,
  });
  addStage(app, {
    topology,
    settings: stageSettings(app.node),
    bundledCode: (name) => Code.fromInline(`exports.handler = async () => ${JSON.stringify(name)};`),
  });
  return Object.fromEntries(
    app.synth().stacks.map(({ stackName, template }) => [stackName.split('-').at(-1) ?? '', template as TemplateJson]),
  );
}

/** The use of each hard limit by the templates of a stage. */
export function computeUsage(templates: Record<string, TemplateJson>): Usage[] {
  const stacks = Object.entries(templates);
  const all = stacks.flatMap(([, { Resources }]) => Object.entries(Resources));
  const each = (type: string, measure: (properties: Record<string, unknown>) => number) =>
    all.flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [{ where: id, used: measure(Properties) }] : []));
  const perStack = (measure: (template: TemplateJson) => number) =>
    stacks.map(([where, template]) => ({ where, used: measure(template) }));
  const routes = (body: unknown) => Object.keys((body as { paths: object }).paths).length;
  const rules = each('AWS::Events::Rule', () => 1).length;
  // The alarm of a deployment notifies no one.
  const alarms = each('AWS::CloudWatch::Alarm', ({ AlarmActions }) => (AlarmActions as [] | undefined)?.length ?? 0);
  return [
    most(
      'resources of a stack',
      500,
      perStack(({ Resources }) => Object.keys(Resources).length),
    ),
    // The size is that of the serialization that the CDK uploads to S3.
    most(
      'bytes of a template',
      1_000_000,
      perStack((template) => JSON.stringify(template, undefined, 1).length),
    ),
    most(
      'parameters of a template',
      200,
      perStack(({ Parameters = {} }) => Object.keys(Parameters).length),
    ),
    most(
      'routes of the API',
      300,
      each('AWS::ApiGatewayV2::Api', ({ Body }) => routes(Body)),
    ),
    most(
      'statements of a queue policy',
      20,
      each('AWS::SQS::QueuePolicy', (each) => statementsOf(each).length),
    ),
    most(
      'bytes of a queue policy',
      8_192,
      each('AWS::SQS::QueuePolicy', ({ PolicyDocument }) => countBytes(PolicyDocument)),
    ),
    most(
      'bytes of a role’s policies',
      10_240,
      each('AWS::IAM::Role', ({ Policies }) => countBytes(Policies)),
    ),
    most(
      'bytes of an environment',
      4_096,
      each('AWS::Lambda::Function', ({ Environment }) => countBytes(Environment)),
    ),
    most('rules of the bus', 300, [{ where: 'all', used: rules }]),
    most(
      'metrics of an alarm',
      11,
      each('AWS::CloudWatch::Alarm', ({ Metrics }) => (Metrics as [] | undefined)?.length ?? 1),
    ),
    // CloudWatch accepts more metrics on a dashboard; up to 50 it is one of the three that cost nothing.
    most(
      'metrics of a dashboard',
      50,
      each('AWS::CloudWatch::Dashboard', ({ DashboardBody }) => metricsIn(DashboardBody)),
    ),
    most('alarms (a limit of our own)', MOST_ALARMS, [
      { where: 'all', used: alarms.filter(({ used }) => used > 0).length },
    ]),
  ];
}

/**
 * Checks the use of a limit: `near` from 60 %, so that there is time to make room, and `over` from 90 %. Metrics and alarms may be used
 * up, so only more than all of them is over.
 */
export function checkUsage({ limit, used, most }: Usage): 'ok' | 'near' | 'over' {
  if (limit.startsWith('metrics') || limit.startsWith('alarms')) return used > most ? 'over' : 'ok';
  const share = used / most;
  return share >= SHARES.over ? 'over' : share >= SHARES.near ? 'near' : 'ok';
}

/** Reports whether too much of a limit is used. */
export const isOver = (usage: Usage): boolean => checkUsage(usage) === 'over';

const statementsOf = ({ PolicyDocument }: Record<string, unknown>): unknown[] =>
  (PolicyDocument as { Statement: unknown[] }).Statement;

/** Metrics in the body of a dashboard, each an array that begins with its namespace, or an object of an expression. */
function metricsIn(body: unknown): number {
  const { widgets } = JSON.parse(String(rendered(body))) as { widgets: { properties: { metrics?: unknown[] } }[] };
  return widgets.flatMap(({ properties }) => properties.metrics ?? []).length;
}

function most(limit: string, bound: number, found: readonly { where: string; used: number }[]): Usage {
  const [first = { where: '-', used: 0 }] = [...found].sort((a, b) => b.used - a.used);
  return { limit, ...first, most: bound };
}

/** The size of a value as AWS counts it: without blanks, references replaced by their assumed length. */
const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(rendered(value)) ?? '');

function rendered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rendered);
  if (typeof value !== 'object' || value === null) return value;
  const [name, argument] = Object.entries(value)[0] ?? [];
  if (name === 'Fn::Join') return (argument as [string, unknown[]])[1].map(rendered).join('');
  if (name === 'Ref' && String(argument).startsWith('AWS::')) return 'x'.repeat(14);
  if (name === 'Ref' || name?.startsWith('Fn::') === true) return RENDERED;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rendered(each)]));
}
