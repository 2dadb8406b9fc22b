import { FAULTS } from '../../functions/kernel/metrics.ts';
import type { TemplateJson } from '../../lib/stack/limits.ts';
import type { AlarmProperties } from './alarm-evaluation.ts';

type Json = Record<string, unknown>;
type Resources = [id: string, properties: Json][];

/** A function with an alias, and what deploys its versions. */
export interface Canary {
  functionName: string;
  /** The alarms that its deployment group watches. */
  alarms: { id: string; properties: AlarmProperties }[];
  hooks: unknown[];
}

const listResources = ({ Resources: all }: TemplateJson, type: string): Resources =>
  Object.entries(all).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [[id, Properties]] : []));

const referenceOf = (value: unknown): string => (value as { Ref?: string } | undefined)?.Ref ?? '';

/** The functions of a template that have an alias, with their deployment groups and alarms. */
export function listCanaries(template: TemplateJson): Canary[] {
  const alarms = new Map(listResources(template, 'AWS::CloudWatch::Alarm'));
  const groups = new Map(listResources(template, 'AWS::CodeDeploy::DeploymentGroup'));
  return listResources(template, 'AWS::Lambda::Alias').map(([id, alias]) => {
    const { UpdatePolicy } = template.Resources[id] as { UpdatePolicy?: Json };
    const update = UpdatePolicy?.CodeDeployLambdaAliasUpdate as Json | undefined;
    const group = groups.get(referenceOf(update?.DeploymentGroupName));
    const watched = ((group?.AlarmConfiguration as Json | undefined)?.Alarms ?? []) as { Name: unknown }[];
    return {
      functionName: String(template.Resources[referenceOf(alias.FunctionName)]?.Properties?.FunctionName),
      alarms: watched.map(({ Name }) => ({
        id: referenceOf(Name),
        properties: alarms.get(referenceOf(Name)) as unknown as AlarmProperties,
      })),
      hooks: update?.BeforeAllowTrafficHook === undefined ? [] : [update.BeforeAllowTrafficHook],
    };
  });
}

/** The functions whose deployments do not watch exactly one alarm of their own metric of faults, with the reason. */
export function listUnwatched(templates: readonly TemplateJson[]): string[] {
  const canaries = templates.flatMap(listCanaries);
  const uses = canaries.flatMap(({ alarms }) => alarms.map(({ id }) => id));
  return canaries.flatMap(({ functionName, alarms, hooks }) => {
    const [alarm] = alarms;
    if (alarms.length !== 1 || alarm === undefined) return [`${functionName} has ${alarms.length} alarms`];
    if (hooks.length !== 1) return [`${functionName} is not called before traffic`];
    if (uses.filter((id) => id === alarm.id).length > 1) return [`${functionName} shares ${alarm.id}`];
    const faults = alarm.properties.Metrics.flatMap(({ MetricStat }) =>
      MetricStat?.Metric.MetricName === FAULTS ? MetricStat.Metric.Dimensions : [],
    );
    const watched = faults.find(({ Name }) => Name === 'function')?.Value;
    const hasVersion = JSON.stringify(faults.find(({ Name }) => Name === 'version')?.Value ?? '').includes('"Version"');
    return watched === functionName && hasVersion ? [] : [`${functionName} watches ${JSON.stringify(faults)}`];
  });
}
