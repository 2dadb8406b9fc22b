import type { TemplateJson } from '../../lib/stack/limits.ts';

type Json = Record<string, unknown>;

/** A template of a stage, and the stacks that are deployed before it. */
export interface DeployedTemplate {
  template: TemplateJson;
  after: readonly string[];
}

/** The property that gives a resource of a type its physical name. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::SSM::Parameter': 'Name',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SES::ConfigurationSet': 'Name',
};

/** Resources that may refer to others that do not exist yet, with the reason. */
const MAY_NAME_WHAT_COMES: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api':
    'It reads the names of functions when it is called; the functions refer to it, for its address.',
  'AWS::CloudWatch::Alarm': 'It names metrics, which come with the first figure; deployments refer to it.',
  'AWS::CloudWatch::Dashboard': 'It names what it shows, and reads that when it is opened.',
};

/**
 * The resources that refer to another by name without being deployed after it: CloudFormation only orders by Ref,
 * GetAtt and DependsOn, and creates the others in any order.
 */
export function unorderedNames(stacks: Readonly<Record<string, DeployedTemplate>>): string[] {
  const named = Object.entries(stacks).flatMap(([stack, { template }]) =>
    Object.entries(template.Resources).flatMap(([id, resource]) =>
      findNames(resource).map((name) => ({ stack, id, name })),
    ),
  );
  return Object.entries(stacks).flatMap(([stack, { template }]) =>
    Object.entries({ ...template.Resources, Parameters: { Type: '', Properties: template.Parameters ?? {} } }).flatMap(
      ([id, { Type, Properties = {} }]) => {
        if (Type in MAY_NAME_WHAT_COMES) return [];
        const texts = [...listTexts(Properties)];
        const before = listDependencies(template, id);
        return named
          .filter((other) => !(other.stack === stack && (other.id === id || before.has(other.id))))
          .filter((other) => other.stack === stack || !isAfter(stacks, stack, other.stack))
          .filter(({ name }) => texts.some((text) => contains(text, name)) || findQualifier(Properties) === name)
          .map((other) => `${stack}/${id} names ${other.stack}/${other.id} (${other.name})`);
      },
    ),
  );
}

function findNames({ Type, Properties = {} }: TemplateJson['Resources'][string]): string[] {
  if (Type === 'AWS::Lambda::Alias')
    return [`alias ${String(Properties.Name)} of ${JSON.stringify(Properties.FunctionName)}`];
  const name = Properties[NAMES[Type] ?? ''];
  return typeof name === 'string' ? [name] : [];
}

/** A function's alias, if it is named together with the function. */
const findQualifier = ({ Qualifier, FunctionName }: Json): string | undefined =>
  typeof Qualifier === 'string' ? `alias ${Qualifier} of ${JSON.stringify(FunctionName)}` : undefined;

/** Reports whether a text contains a name, not as a part of a longer one. */
function contains(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    const isLonger = name.startsWith('/') && text[at + name.length] === '/';
    if (!isLonger && !/[A-Za-z0-9_-]/.test(around)) return true;
  }
  return false;
}

/** The texts of a value, with each `Fn::Join` evaluated. */
function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  const join = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  if (join !== undefined) yield join[1].map((part) => (typeof part === 'string' ? part : ' ')).join(join[0]);
  for (const part of Object.values(value)) yield* listTexts(part);
}

/** All resources that exist before one, in its own template. */
function listDependencies({ Resources }: TemplateJson, id: string, seen = new Set<string>()): Set<string> {
  const resource = Resources[id];
  if (resource === undefined) return seen;
  const { DependsOn } = resource as { DependsOn?: string | string[] };
  const text = JSON.stringify(resource.Properties ?? {});
  const referred = [...text.matchAll(/"(?:Ref":|Fn::GetAtt":\[)"([A-Za-z0-9]+)"/g)].map(([, name]) => name ?? '');
  for (const each of [...referred, ...[DependsOn ?? []].flat()]) {
    if (seen.has(each)) continue;
    seen.add(each);
    listDependencies({ Resources }, each, seen);
  }
  return seen;
}

function isAfter(stacks: Readonly<Record<string, DeployedTemplate>>, stack: string, other: string): boolean {
  return stacks[stack]?.after.some((each) => each === other || isAfter(stacks, each, other)) === true;
}
