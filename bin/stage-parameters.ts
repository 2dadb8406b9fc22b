import { createHash, createHmac } from 'node:crypto';

import { kmsClient } from '../functions/kernel/keys/shared.ts';

/** A call to an AWS service, before it is signed. */
export interface Unsigned {
  method: 'POST';
  url: URL;
  /** Lower-case names; all of them are signed. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Who signs, for what and when. */
export interface Signer {
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };
  region: string;
  service: string;
  at: Date;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The headers of a call with AWS Signature Version 4 among them, for an address without a query. The project has no client of
 * Systems Manager: it asks for parameters here alone.
 */
export function signed({ method, url, headers, body }: Unsigned, signer: Signer): Record<string, string> {
  const { credentials, region, service, at } = signer;
  const stamp = `${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;
  const scope = [stamp.slice(0, 8), region, service, 'aws4_request'];
  const { sessionToken } = credentials;
  const sent = {
    ...headers,
    'x-amz-date': stamp,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const lines = Object.entries({ ...sent, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = lines.map(([name]) => name).join(';');
  const fields = lines.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [method, url.pathname, '', fields, names, hash(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`);
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${hmac(key, toSign).toString('hex')}`;
  return { ...sent, authorization };
}

interface Found {
  Parameters?: { Name: string; Value: string }[];
  __type?: string;
  message?: string;
}

/**
 * What the data stack of a stage says of where its data are (`lib/stack/data-stack.ts`), with the credentials and the region
 * of the shell.
 * @returns the values by their names; a name that the stage does not have is left out
 * @throws Error with the words of AWS, when it refuses
 */
export async function stageParameters(
  stage: string,
  names: readonly string[],
): Promise<Partial<Record<string, string>>> {
  const { config } = kmsClient();
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  const url = new URL(process.env.AWS_ENDPOINT_URL_SSM ?? `https://ssm.${region}.amazonaws.com/`);
  const prefix = `/gatehouse/${stage}/`;
  const body = JSON.stringify({ Names: names.map((name) => prefix + name) });
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameters' };
  const signer = { credentials, region, service: 'ssm', at: new Date() };
  const answer = await fetch(url, {
    method: 'POST',
    headers: signed({ method: 'POST', url, headers, body }, signer),
    body,
  });
  const { Parameters = [], __type: type, message } = (await answer.json()) as Found;
  if (!answer.ok) throw new Error(`ssm:GetParameters on ${prefix}*: ${message ?? type ?? answer.status}`);
  return Object.fromEntries(Parameters.map(({ Name, Value }) => [Name.slice(prefix.length), Value]));
}
