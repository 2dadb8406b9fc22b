import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';

import { agent, type Waits } from '../aws-requests.ts';
import { type AwsCredentials, signRequest } from './signature.ts';

/** A service that is called in the AWS JSON protocol. */
export interface AwsService {
  /** Its name in the variable of its endpoint, `AWS_ENDPOINT_URL_…`. */
  variable: string;
  /** Its name in signatures and host names. */
  name: string;
  /** Its name in the header X-Amz-Target. */
  target: string;
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
}

/** One attempt of a call. */
export interface AwsAttempt {
  service: AwsService;
  operation: string;
  /** The request in the form of the protocol. */
  input: object;
  waits: Required<Waits>;
  signal?: AbortSignal | undefined;
}

/** A response, whose body is an error if the status is at least 300. */
export interface AwsReply {
  status: number;
  body: Record<string, unknown>;
  requestId?: string | undefined;
}

/** Sends an attempt. @throws Error with the name TimeoutError or AbortError, or the code of a failed connection */
export type Transport = (attempt: AwsAttempt) => Promise<AwsReply>;

let current: Transport = sendOverHttps;

/**
 * Replaces the transport of this process's calls, for a runtime that has the services in it.
 * @returns the former one
 */
export function useTransport(transport: Transport): Transport {
  const former = current;
  current = transport;
  return former;
}

/** Sends an attempt by the current transport. */
export const transmit: Transport = (attempt) => current(attempt);

/** The credentials and the region of this process's calls. */
export interface AwsIdentity extends AwsCredentials {
  region: string;
}

/** Lambda puts a role's credentials and the region in the environment of each function. */
function readIdentity(): AwsIdentity {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_REGION === undefined || AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error('AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not all set, as they are on Lambda.');
  }
  return {
    region: AWS_REGION,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
}

let findIdentity: () => AwsIdentity | Promise<AwsIdentity> = readIdentity;

/** Replaces the credentials of the environment, for commands that run with an operator's profile. */
export function useIdentity(find: () => AwsIdentity | Promise<AwsIdentity>): void {
  findIdentity = find;
}

/** The kept connections of this process, by the security of their endpoints. */
const connections: { plain?: Agent | undefined; secure?: SecureAgent | undefined } = {};

function findAgent(isSecure: boolean): Agent {
  if (isSecure) return (connections.secure ??= new SecureAgent(agent));
  return (connections.plain ??= new Agent(agent));
}

/** Closes all connections; a call that is in progress fails. */
export function closeConnections(): void {
  connections.plain?.destroy();
  connections.secure?.destroy();
  connections.plain = connections.secure = undefined;
}

/** The address of a service: that of its variable, that of all services, or the region's own. */
interface Endpoint {
  given: string;
  isSecure: boolean;
  host: string;
  hostname: string;
  port: number;
}

const endpoints = new Map<string, Endpoint>();

function findEndpoint({ variable, name }: AwsService, region: string): Endpoint {
  const given =
    process.env[`AWS_ENDPOINT_URL_${variable}`] ??
    process.env.AWS_ENDPOINT_URL ??
    `https://${name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const known = endpoints.get(name);
  if (known?.given === given) return known;
  const { protocol, host, hostname, port } = new URL(given);
  const isSecure = protocol === 'https:';
  const found = { given, isSecure, host, hostname, port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
  endpoints.set(name, found);
  return found;
}

async function sendOverHttps(attempt: AwsAttempt): Promise<AwsReply> {
  const { service, operation, input } = attempt;
  const found = findIdentity();
  const identity = found instanceof Promise ? await found : found;
  const endpoint = findEndpoint(service, identity.region);
  const body = JSON.stringify(input);
  const { name, contentType } = service;
  const target = `${service.target}.${operation}`;
  const described = { host: endpoint.host, service: name, region: identity.region, contentType, target, body };
  // Signatures are compared with the real time, whatever the service's own clock says.
  const headers = signRequest(described, identity, Date.now());
  return exchange(endpoint, { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body, attempt);
}

const timeOut = (text: string): Error => Object.assign(new Error(text), { name: 'TimeoutError' });

/** Sends a request and reads the response, within the limits of the attempt. */
function exchange(
  { isSecure, hostname, port }: Endpoint,
  headers: Record<string, string>,
  body: string,
  { operation, waits, signal }: AwsAttempt,
): Promise<AwsReply> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return void reject(aborted());
    const send = isSecure ? httpsRequest : httpRequest;
    const outgoing = send({ hostname, port, method: 'POST', path: '/', headers, agent: findAgent(isSecure) });
    const stop = (error: Error): void => {
      reject(error);
      outgoing.destroy(error);
    };
    const onAbort = (): void => stop(aborted());
    let timer = setTimeout(
      () => stop(timeOut(`${operation} had no response in ${waits.requestMs} ms`)),
      waits.requestMs,
    );
    const connecting = limitConnection(outgoing, waits.connectionMs, stop);
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(connecting());
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    outgoing.on('error', (error) => {
      end();
      reject(error);
    });
    outgoing.on('response', (response) => {
      clearTimeout(timer);
      if (waits.idleMs !== Infinity) {
        timer = setTimeout(
          () => stop(timeOut(`The response to ${operation} stopped for ${waits.idleMs} ms`)),
          waits.idleMs,
        );
      }
      readReply(response, () => timer.refresh())
        .then(resolve, reject)
        .finally(end);
    });
    outgoing.end(body);
  });
}

const aborted = (): Error => Object.assign(new Error('The call was aborted'), { name: 'AbortError' });

/** Limits the time until a new connection is made. @returns a function that returns its timer, if there is one */
function limitConnection(outgoing: ClientRequest, limitMs: number, stop: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    timer = setTimeout(() => stop(timeOut(`No connection was made in ${limitMs} ms`)), limitMs);
    socket.once('connect', () => clearTimeout(timer));
  });
  return () => timer;
}

function readReply(response: IncomingMessage, onPart: () => unknown): Promise<AwsReply> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => {
      onPart();
      parts.push(part);
    });
    response.on('error', reject);
    response.on('aborted', () => reject(Object.assign(new Error('The response ended early'), { code: 'ECONNRESET' })));
    response.on('end', () => {
      const text = (parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)).toString('utf8');
      const status = response.statusCode ?? 500;
      const requestId = response.headers['x-amzn-requestid'] as string | undefined;
      try {
        resolve({ status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), requestId });
      } catch {
        // A gateway before the service may respond with a page.
        resolve({ status: status < 300 ? 500 : status, body: { __type: 'UnreadableResponse' }, requestId });
      }
    });
  });
}
