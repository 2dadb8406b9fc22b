import { Aws, CfnOutput, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';

import type { FunctionDescription, HttpSource, Throttle, Topology } from '../topology/model.ts';
import { listRoutes } from '../topology/routes.ts';
import { listThrottles } from '../topology/throttles.ts';
import { makeAliasArn, named } from './names.ts';
import { apiHost, consoleHost, type StageSettings } from './settings.ts';

/** The access log of each request. It has no header, no query and no raw path, because those can contain secrets. */
const ACCESS_LOG = {
  time: '$context.requestTime',
  request_id: '$context.requestId',
  address: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  function_milliseconds: '$context.integrationLatency',
  function_error: '$context.integrationErrorMessage',
  user_agent: '$context.identity.userAgent',
};

type HttpFunction = FunctionDescription & { source: HttpSource };
const isHttp = (fn: FunctionDescription): fn is HttpFunction => fn.source.kind === 'http';

/** Reports whether a function has an API with a host of its own. */
export const isOwnApi = ({ source }: FunctionDescription): boolean =>
  source.kind === 'http' && source.ownRoutes !== undefined;

/** An HTTP API of a stage. */
export interface Api {
  id: string;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** Permits the API to call a function. */
  admit: (alias: lambda.Alias) => void;
}

/** The properties by which the APIs of a stage differ. */
interface ApiOptions {
  /** The prefix of the ids of its constructs; empty for the API. */
  prefix: '' | 'Console';
  /** The prefix of the names of its parts. */
  logName: string;
  body: object;
  /** The host name, if it has one of its own, with the ARN of its certificate. */
  host: { name: string; certificateArn: string } | undefined;
}

/**
 * Adds the HTTP API. Its routes are one OpenAPI body and not resources, since several hundred would not fit into a
 * template. A route accepts any method, since the router of the area returns 405 in the service's own format.
 */
export function addApi(stack: Stack, topology: Topology, settings: StageSettings): Api {
  const name = apiHost(settings);
  const { certificateArn, domain } = settings;
  const host = name === undefined || certificateArn === undefined ? undefined : { name, certificateArn };
  const body = openApiBody(topology, settings);
  const api = addHttpApi(stack, topology, settings, { prefix: '', logName: 'access', body, host });
  return domain === undefined ? api : { ...api, baseUrl: `https://${domain}` };
}

/**
 * Adds the HTTP API of the console, whose host has no page of another area. It has exactly the routes of its operations.
 * @returns undefined for a stage without a console
 */
export function addConsoleApi(stack: Stack, topology: Topology, settings: StageSettings): Api | undefined {
  const body = consoleApiBody(topology, settings);
  if (body === undefined) return undefined;
  const name = consoleHost(settings);
  const { consoleCertificateArn: certificateArn } = settings;
  const host = name === undefined || certificateArn === undefined ? undefined : { name, certificateArn };
  return addHttpApi(stack, topology, settings, { prefix: 'Console', logName: 'console-access', body, host });
}

function addHttpApi(stack: Stack, topology: Topology, settings: StageSettings, options: ApiOptions): Api {
  const { prefix, logName, body, host } = options;
  const api = new apigateway.CfnApi(stack, `${prefix}Api`, {
    body,
    disableExecuteApiEndpoint: host !== undefined,
    failOnWarnings: false,
  });
  const accessLog = new logs.LogGroup(stack, `${prefix}AccessLog`, {
    // Log groups with this prefix need no separate resource policy, whose size is limited.
    logGroupName: `/aws/vendedlogs/${named(settings.stage, logName)}`,
    retention: retentionOf(settings),
    removalPolicy: removalOf(settings),
  });
  const throttle = {
    rate: settings.throttleRate ?? topology.throttle.rate,
    burst: settings.throttleBurst ?? topology.throttle.burst,
  };
  const stage = new apigateway.CfnStage(stack, `${prefix}ApiStage`, {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    defaultRouteSettings: { throttlingRateLimit: throttle.rate, throttlingBurstLimit: throttle.burst },
    ...(prefix === '' ? { routeSettings: makeRouteSettings(topology, throttle) } : {}),
    accessLogSettings: { destinationArn: accessLog.logGroupArn, format: JSON.stringify(ACCESS_LOG) },
  });
  if (host !== undefined) addDomain(stack, { prefix, api, stage, host });
  return {
    id: api.ref,
    baseUrl: host === undefined ? api.attrApiEndpoint : `https://${host.name}`,
    admit: (alias) => {
      new lambda.CfnPermission(alias, `${prefix}Api`, {
        action: 'lambda:InvokeFunction',
        functionName: alias.functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn: `arn:${Aws.PARTITION}:execute-api:${Aws.REGION}:${Aws.ACCOUNT_ID}:${api.ref}/*/*`,
      });
    },
  };
}

/** The throttles of routes that have one, by their keys. The type of the property is JSON, whose members have the names of CloudFormation. */
const makeRouteSettings = ({ functions }: Topology, throttle: Throttle) =>
  Object.fromEntries(
    [...listThrottles(listRoutes({ functions: functions.filter((fn) => !isOwnApi(fn)) }), throttle)].map(
      ([path, { rate, burst }]) => [
        path.startsWith('/') ? `ANY ${path}` : path,
        { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
      ],
    ),
  );

/** Retention of logs. */
export const retentionOf = ({ protect }: StageSettings): logs.RetentionDays =>
  protect ? logs.RetentionDays.THREE_MONTHS : logs.RetentionDays.TWO_WEEKS;

/** The removal policy of a protected stage's resources. */
export const removalOf = ({ protect }: StageSettings): RemovalPolicy =>
  protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

function addDomain(
  stack: Stack,
  {
    prefix,
    api,
    stage,
    host,
  }: Pick<ApiOptions, 'prefix'> & {
    api: apigateway.CfnApi;
    stage: apigateway.CfnStage;
    host: { name: string; certificateArn: string };
  },
): void {
  const domain = new apigateway.CfnDomainName(stack, `${prefix}Domain`, {
    domainName: host.name,
    domainNameConfigurations: [
      { certificateArn: host.certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' },
    ],
  });
  new apigateway.CfnApiMapping(stack, `${prefix}DomainMapping`, {
    apiId: api.ref,
    domainName: domain.ref,
    stage: stage.ref,
  });
  new CfnOutput(stack, `${prefix}DomainTarget`, {
    value: domain.attrRegionalDomainName,
    description: `Point a CNAME of ${host.name} here.`,
  });
}

/**
 * The routes of a topology in the form that API Gateway reads.
 * @throws Error if two functions declare the same path, or there are more routes than an API can have
 */
export function openApiBody(topology: Topology, { stage, mostRoutes }: Pick<StageSettings, 'stage' | 'mostRoutes'>) {
  const functions = topology.functions.filter(isHttp).filter((fn) => !isOwnApi(fn));
  const routes = listRoutes({ functions });
  if (routes.length > mostRoutes) {
    throw new Error(`${routes.length} routes; an HTTP API takes ${mostRoutes}. Raise the quota, then -c mostRoutes`);
  }
  return {
    openapi: '3.0.1',
    info: { title: named(stage, 'api'), version: '1' },
    // API Gateway requires a slash before its own base path.
    paths: Object.fromEntries(
      routes.map(({ path, functionName }) => [path.replace(/^(?=\$)/, '/'), pathItem(path, functionName)]),
    ),
    components: {
      'x-amazon-apigateway-integrations': Object.fromEntries(functions.map((fn) => [fn.name, integration(fn, stage)])),
    },
  };
}

/** The routes of the function with an API of its own, in the same form; undefined if there is none. */
export function consoleApiBody({ functions }: Topology, { stage }: Pick<StageSettings, 'stage'>) {
  const fn = functions.filter(isHttp).find(isOwnApi);
  if (fn === undefined) return undefined;
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path } of fn.source.ownRoutes ?? []) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: routeItem(path, fn.name) };
  }
  return {
    openapi: '3.0.1',
    info: { title: named(stage, 'console'), version: '1' },
    paths,
    components: { 'x-amazon-apigateway-integrations': { [fn.name]: integration(fn, stage) } },
  };
}

const pathItem = (path: string, name: string) => ({ 'x-amazon-apigateway-any-method': routeItem(path, name) });

function routeItem(path: string, name: string) {
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(path === '$default' ? { isDefaultRoute: true } : {}),
    responses: { default: { description: 'The response of the area' } },
    'x-amazon-apigateway-integration': { $ref: `#/components/x-amazon-apigateway-integrations/${name}` },
  };
}

function integration({ name, timeoutSeconds }: HttpFunction, stage: string) {
  const path = `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions`;
  return {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: `${path}/${makeAliasArn(stage, name)}/invocations`,
    payloadFormatVersion: '2.0',
    connectionType: 'INTERNET',
    // The limit is slightly longer than the function's own time limit, and within the gateway's thirty seconds.
    timeoutInMillis: Math.min(30_000, Duration.seconds(timeoutSeconds + 1).toMilliseconds()),
  };
}
