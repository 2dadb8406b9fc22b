/** The account of the emulator, which accepts any credentials. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** The environment variables of a shell that uses the emulator instead of AWS. */
export const shellOf = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  // A profile or an endpoint of the shell must not be used by mistake.
  AWS_PROFILE: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});

/** A request of AWS's protocols to the emulator. */
interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** Time limit in ms of a call of a service. */
const CALL_LIMIT_MS = 60_000;

/**
 * The services of the emulator in the three protocols that the trial needs, for those of which this project has no client.
 * The emulator identifies the service by the signature's scope, and checks no signature.
 */
export class Aws {
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /**
   * Sends a request.
   * @throws Error with the emulator's message for any status from 300 on
   */
  async send(service: string, { method = 'POST', path = '/', headers = {}, body }: Sent): Promise<string> {
    const scope = `Credential=test/20260101/${REGION}/${service}/aws4_request`;
    const response = await fetch(`${this.endpoint}${path}`, {
      method,
      headers: { authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    });
    const text = await response.text();
    if (response.status < 300) return text;
    throw new Error(`${service} ${method} ${path} responded ${response.status}: ${text.slice(0, 600)}`);
  }

  /**
   * Sends a request of the query protocol (CloudFormation).
   * @returns XML
   */
  query(service: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams(parameters).toString();
    return this.send(service, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
  }

  /** Sends a request of awsJson1_1 (Systems Manager, Secrets Manager). */
  async json<T>(service: string, target: string, input: object): Promise<T> {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
    return JSON.parse(await this.send(service, { headers, body: JSON.stringify(input) })) as T;
  }

  /** Sends a request of restJson1 (Lambda, API Gateway). */
  async rest<T>(service: string, method: string, path: string, input?: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const body = input === undefined ? {} : { body: JSON.stringify(input) };
    return JSON.parse(await this.send(service, { method, path, headers, ...body })) as T;
  }
}
