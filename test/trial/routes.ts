import { ACCOUNT, type Aws, REGION } from './aws.ts';
import type { Template } from './assembly.ts';

interface Body {
  info: { title: string };
  paths: Record<string, Record<string, { 'x-amazon-apigateway-integration': { $ref: string } }>>;
  components: { 'x-amazon-apigateway-integrations': Record<string, { uri: unknown; timeoutInMillis: number }> };
}

/**
 * Creates the routes and integrations of an API's OpenAPI body through the API of API Gateway, since the emulator ignores
 * the body of `AWS::ApiGatewayV2::Api`.
 * @param title the title of that body
 * @returns the number of each
 */
export async function makeRoutes(
  aws: Aws,
  apiId: string,
  template: Template,
  title: string,
): Promise<{ routes: number; integrations: number }> {
  const apis = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
  const bodies = apis.map(({ Properties }) => Properties?.Body as Body);
  const body = bodies.find(({ info }) => info.title === title);
  if (body === undefined) throw new Error(`The template has no API ${title}`);
  const { paths, components } = body;
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
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ path, method, route })),
  );
  for (const { path, method, route } of routes) {
    const { $ref } = route['x-amazon-apigateway-integration'];
    const integration = ids.get($ref);
    if (integration === undefined) throw new Error(`${path} names ${$ref}, which the body does not have`);
    const verb = method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase();
    await aws.rest('apigateway', 'POST', `/v2/apis/${apiId}/routes`, {
      routeKey: path === '/$default' ? '$default' : `${verb} ${path}`,
      target: `integrations/${integration}`,
    });
  }
  return { routes: routes.length, integrations: ids.size };
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
