import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const ACCOUNT = '111111111111';
const SECRET = 'wJalrXUtnFEMI/K7MDENG';

/** The environment variables of a shell that uses the fake. */
export const shellOf = (url: string) => ({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_SESSION_TOKEN: 'token',
  AWS_PROFILE: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});

/** A stack of the fake account. */
interface Stack {
  status: string;
  isProtected?: boolean;
  outputs?: Record<string, string>;
}

/** The content of the fake's account. */
export interface World {
  stacks: Record<string, Stack>;
  parameters: string[];
  executions: number;
  /** The quotas of the account by `service/code`. */
  quotas: Record<string, number>;
  mailFrom: string | undefined;
  identities: Record<string, object>;
  ses: object;
  subscriptions: { SubscriptionArn: string; Endpoint: string }[];
  sms: { isInSandbox: boolean; spend: number };
  certificates: Record<string, object>;
  domainNames: Record<string, string>;
  /** The AWS services that deny access. */
  denied: string[];
  /** Status of the stage's own API. */
  apiStatus: number;
  /** Status of the stage's console for a client without a session. */
  consoleStatus: number;
}

export const TARGET = 'd-abc.execute-api.eu-west-1.amazonaws.com';
export const CERTIFICATE = 'arn:aws:acm:eu-west-1:111111111111:certificate/1';
/** The time in the fake, in milliseconds since the epoch. */
export const NOW = Date.parse('2026-06-01T00:00:00Z');
export const ISSUED = { Status: 'ISSUED', DomainName: 'localhost', NotAfter: NOW / 1_000 + 200 * 86_400 };

/** An account with everything that a production stage needs. The stage is called `localhost`, where the fake responds. */
export const completeWorld = (url: string): World => ({
  stacks: {
    'gatehouse-prod-data': { status: 'CREATE_COMPLETE' },
    'gatehouse-prod-service': {
      status: 'UPDATE_COMPLETE',
      isProtected: true,
      outputs: { ApiUrl: url, DomainTarget: TARGET, ConsoleUrl: url },
    },
    'gatehouse-prod-workers': { status: 'UPDATE_COMPLETE' },
    'gatehouse-prod-schedules': { status: 'UPDATE_COMPLETE' },
  },
  parameters: ['/cdk-bootstrap/hnb659fds/version'],
  executions: 1_000,
  quotas: {
    'dynamodb/L-CF0CBE56': 40_000,
    'dynamodb/L-AB614373': 40_000,
    'apigateway/L-8A5B8E43': 10_000,
    'kms/L-6E3AF000': 10_000,
  },
  mailFrom: 'Acme <no-reply@mail.example.com>',
  identities: { 'example.com': { IdentityType: 'DOMAIN', VerifiedForSendingStatus: true } },
  ses: {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14 },
  },
  subscriptions: [
    { SubscriptionArn: `arn:aws:sns:eu-west-1:${ACCOUNT}:gatehouse-prod-alarms:1`, Endpoint: 'ops@example.com' },
  ],
  sms: { isInSandbox: false, spend: 100 },
  certificates: { [CERTIFICATE]: ISSUED },
  domainNames: { localhost: CERTIFICATE },
  denied: [],
  apiStatus: 200,
  consoleStatus: 401,
});

/** The parts of AWS that `npm run doctor` reads, and the API of the stage. It checks every signature. */
export async function startFakeAws(world: World) {
  const regions: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const received = respond(world, request, body, regions);
      response.statusCode = received.status ?? 200;
      response.end(typeof received.body === 'string' ? received.body : JSON.stringify(received.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, regions, close: () => void server.close() };
}

interface FakeResponse {
  status?: number;
  body: string | object;
}

/** A parsed call of a service. */
interface Asked {
  path: string;
  /** The last part of the path. */
  name: string;
  body: string;
}

const failed = (status: number, __type: string, message: string): FakeResponse => ({
  status,
  body: { __type, message },
});

function respond(world: World, request: IncomingMessage, body: string, regions: string[]): FakeResponse {
  const path = decodeURIComponent(request.url ?? '');
  if (path === '/console') return { status: world.consoleStatus, body: {} };
  if (path === '/openapi.json') return { status: world.apiStatus, body: {} };
  const { authorization = '' } = request.headers;
  const scope = /Credential=AKIDEXAMPLE\/\d{8}\/([\w-]+)\/(\w+)\/aws4_request/.exec(authorization);
  const [, region = '', service = ''] = scope ?? [];
  regions.push(`${service} ${region}`);
  if (computeSignature(request, body, region, service) !== /Signature=(\w+)/.exec(authorization)?.[1]) {
    return failed(403, 'SignatureDoesNotMatch', `${service} ${path}`);
  }
  if (world.denied.includes(service)) {
    return failed(403, 'AccessDeniedException', `ada is not authorized to call ${service}`);
  }
  const handle = services[service];
  const asked = { path, name: path.split('/').at(-1) ?? '', body };
  return handle === undefined ? failed(400, 'UnknownService', service) : handle(world, asked);
}

const services: Readonly<Record<string, (world: World, asked: Asked) => FakeResponse>> = {
  sts: () => ({ body: `<R><Arn>arn:aws:iam::${ACCOUNT}:user/ada</Arn><Account>${ACCOUNT}</Account></R>` }),
  cloudformation: (world, { body }) => describe(world, new URLSearchParams(body).get('StackName') ?? ''),
  ssm: ({ parameters }) => ({ body: { Parameters: parameters.map((Name) => ({ Name, Value: '1' })) } }),
  lambda: ({ executions, mailFrom }, { path }) => {
    if (path.startsWith('/2016-08-19')) return { body: { AccountLimit: { ConcurrentExecutions: executions } } };
    if (mailFrom === undefined) return failed(404, 'ResourceNotFoundException', 'Function not found');
    return { body: { Environment: { Variables: { GATEHOUSE_MAIL_FROM: mailFrom } } } };
  },
  sns: (world, { body }) => ({ body: topics(world, new URLSearchParams(body).get('Action')) }),
  ses: ({ ses, identities }, { name }) => {
    const found = name === 'account' ? ses : identities[name];
    return found ? { body: found } : failed(404, 'NotFoundException', name);
  },
  acm: ({ certificates }, { body }) => {
    const { CertificateArn } = JSON.parse(body) as { CertificateArn: string };
    const found = certificates[CertificateArn];
    return found ? { body: { Certificate: found } } : failed(400, 'ResourceNotFoundException', CertificateArn);
  },
  servicequotas: ({ quotas }, { body }) => {
    const { ServiceCode, QuotaCode } = JSON.parse(body) as { ServiceCode: string; QuotaCode: string };
    const Value = quotas[`${ServiceCode}/${QuotaCode}`];
    return Value === undefined
      ? failed(400, 'NoSuchResourceException', `${ServiceCode} has no quota ${QuotaCode}`)
      : { body: { Quota: { Value } } };
  },
  apigateway: ({ domainNames }, { name }) => {
    const certificateArn = domainNames[name];
    if (certificateArn === undefined)
      return failed(404, 'NotFoundException', 'Invalid domain name identifier specified');
    return { body: { domainNameConfigurations: [{ certificateArn }] } };
  },
};

function describe({ stacks }: World, name: string): FakeResponse {
  const stack = stacks[name];
  if (stack === undefined) {
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error>`;
    return { status: 400, body: `<ErrorResponse>${error}</ErrorResponse>` };
  }
  const outputs = Object.entries(stack.outputs ?? {}).map(
    ([key, value]) =>
      `<member>\n<Description>Base &amp; more</Description><OutputKey>${key}</OutputKey>\n<OutputValue>${value}</OutputValue></member>`,
  );
  return {
    body: `<DescribeStacksResponse><Stacks><member><StackName>${name}</StackName>
      <EnableTerminationProtection>${stack.isProtected === true}</EnableTerminationProtection>
      <StackStatus>${stack.status}</StackStatus><Outputs>${outputs.join('')}</Outputs></member></Stacks></DescribeStacksResponse>`,
  };
}

function topics({ subscriptions, sms }: World, action: string | null): string {
  const result = (inner: string) =>
    `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`;
  if (action === 'GetSMSSandboxAccountStatus') return result(`<IsInSandbox>${sms.isInSandbox}</IsInSandbox>`);
  if (action === 'GetSMSAttributes')
    return result(`<attributes><entry><key>MonthlySpendLimit</key><value>${sms.spend}</value></entry></attributes>`);
  const members = subscriptions.map(
    ({ SubscriptionArn, Endpoint }) =>
      `<member><SubscriptionArn>${SubscriptionArn}</SubscriptionArn><Endpoint>${Endpoint}</Endpoint></member>`,
  );
  return result(`<Subscriptions>${members.join('')}</Subscriptions>`);
}

const hash = (value: string): string => createHash('sha256').update(value).digest('hex');
const hmac = (key: string | Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest();

/** The AWS Signature Version 4 of a received request. */
function computeSignature(
  { method, url = '', headers, rawHeaders }: IncomingMessage,
  body: string,
  region: string,
  service: string,
) {
  const [path = '', query = ''] = url.split('?');
  const names = /SignedHeaders=([\w;-]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const readValue = (name: string) =>
    rawHeaders[rawHeaders.findIndex((raw, at) => at % 2 === 0 && raw.toLowerCase() === name) + 1] ?? '';
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    query,
    ...names.split(';').map((name) => `${name}:${readValue(name).trim()}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const date = String(headers['x-amz-date']);
  const scope = [date.slice(0, 8), region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical)].join('\n')).toString('hex');
}
