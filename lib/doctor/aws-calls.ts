import { SSMClient } from '@aws-sdk/client-ssm';

/** Time-out of a call in milliseconds. */
const LIMIT_MS = 10_000;

/** A response of AWS that reports an error. */
export class AwsError extends Error {
  /** The error's code, such as `AccessDeniedException`. */
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** A request to an AWS service, which has the name in its signature. */
interface Sent {
  service: string;
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Calls of AWS services for which this project has no client, signed by the SDK with the credentials of the shell. They go to
 * `AWS_ENDPOINT_URL` if that is set, as those of the SDK's clients do.
 */
export class AwsCalls {
  readonly region: string;

  constructor(region: string) {
    this.region = region;
  }

  /**
   * Sends a request of the query protocol (CloudFormation, STS).
   * @returns XML
   * @throws AwsError
   */
  query(service: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send({
      service,
      method: 'POST',
      path: '/',
      headers,
      body: new URLSearchParams(parameters).toString(),
    });
  }

  /**
   * Sends a request of awsJson1_1 (Certificate Manager).
   * @throws AwsError
   */
  async json<T>(service: string, target: string, input: object): Promise<T> {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
    const sent = { service, method: 'POST', path: '/', headers, body: JSON.stringify(input) } as const;
    return JSON.parse(await this.#send(sent)) as T;
  }

  /**
   * Sends a GET of restJson1 (Lambda, API Gateway).
   * @throws AwsError
   */
  async get<T>(service: string, path: string): Promise<T> {
    return JSON.parse(await this.#send({ service, method: 'GET', path })) as T;
  }

  async #send({ service, method, path, headers = {}, body }: Sent): Promise<string> {
    const url = new URL(path, this.#endpointOf(service));
    const { host: _, ...signed } = await this.#sign(url, { service, method, path, headers, ...(body && { body }) });
    const response = await fetch(url, {
      method,
      headers: signed,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw readError(response, text);
    return text;
  }

  #endpointOf(service: string): string {
    const suffix = this.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    return process.env.AWS_ENDPOINT_URL ?? `https://${service}.${this.region}.${suffix}`;
  }

  async #sign(url: URL, { service, method, headers, body }: Sent): Promise<Record<string, string>> {
    // A client's signer keeps the first service that it signs for, so each service needs its own.
    const client = new SSMClient({ region: this.region });
    const scheme = { name: 'sigv4', signingName: service, signingRegion: this.region, properties: {} };
    const signer = await client.config.signer(scheme);
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      path: url.pathname,
      query: {},
      headers: { ...headers, host: url.host },
      ...(body === undefined ? {} : { body }),
    });
    client.destroy();
    return signed.headers;
  }
}

/** The code and the message of an error in either protocol. */
function readError({ status, headers }: Response, text: string): AwsError {
  const inXml = (name: string) => readText(text, name);
  const { __type, message, Message } = inJson(text);
  const name = headers.get('x-amzn-errortype') ?? __type ?? inXml('Code') ?? `Status${status}`;
  const words = message ?? Message ?? inXml('Message') ?? text.slice(0, 300);
  return new AwsError(name.replace(/^.*#|:.*$/g, ''), words);
}

function inJson(text: string): { __type?: string; message?: string; Message?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of a name in a response of the query protocol, which has no attributes and no comments. */
export function readText(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replaceAll(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);
}

/** The `member` elements of a list. */
export const readMembers = (xml: string, list: string): string[] => {
  const inner = new RegExp(`<${list}>(.*?)</${list}>`, 's').exec(xml)?.[1] ?? '';
  return [...inner.matchAll(/<member>(.*?)<\/member>/gs)].map(([, member]) => member ?? '');
};
