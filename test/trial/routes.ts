import { ACCOUNT, type Aws, REGION } from './aws.ts';
import type { Template } from './assembly.ts';

interface Body {
  paths: Record<string, { 'x-amazon-apigateway-any-method': { 'x-amazon-apigateway-integration': { $ref: string } } }>;
  components: { 'x-amazon-apigateway-integrations': Record<string, { uri: unknown; timeoutInMillis: number }> };
}

/**
 * Creates the routes and integrations of an API's OpenAPI body through the API of API Gateway, since the emulator ignores
 * the body of `AWS::ApiGatewayV2::Api`.
 * @returns the number of each
 */
export async function makeRoutes(
  aws: Aws,
  apiId: string,
  template: Template,
): Promise<{ routes: number; integrations: number }> {
  const api = Object.values(template.Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
  const { paths, components } = api?.Properties?.Body as Body;
  const ids = new Map<string, string>();
  for (const [name, { uri, timeoutInMillis }] of Object.entries(components['x-amazon-apigateway-integrations'])) {
    const made = await aws.rest<{ integrationId: string }>('apigateway', 'POST', `/v2/apis/${apiId}/integrations`, {
      integrationType: 'AWS_PROXY',
      integrationMethod: 'POST',
      integrationUri: formatText(uri),
      payloadFormatVersion: '2.0',
      timeoutInMillis,
    });
    ids.set(`#/components/x-amazon-apigateway-integrations/${name}`, made.integrationId);
  }
  for (const [path, { 'x-amazon-apigateway-any-method': any }] of Object.entries(paths)) {
    const { $ref } = any['x-amazon-apigateway-integration'];
    const integration = ids.get($ref);
    if (integration === undefined) throw new Error(`${path} names ${$ref}, which the body does not have`);
    await aws.rest('apigateway', 'POST', `/v2/apis/${apiId}/routes`, {
      routeKey: path === '/$default' ? '$default' : `ANY ${path}`,
      target: `integrations/${integration}`,
    });
  }
  return { routes: Object.keys(paths).length, integrations: ids.size };
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
};

/**
 * The text that a template composes of pseudo parameters.
 * @throws Error for anything else
 */
function formatText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref: name, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (join !== undefined) return join[1].map(formatText).join(join[0]);
  const text = name === undefined ? undefined : PSEUDO[name];
  if (text === undefined) throw new Error(`The uri of an integration is put together from ${JSON.stringify(value)}`);
  return text;
}
