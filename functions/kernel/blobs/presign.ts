import { createHash, createHmac } from 'node:crypto';

/** The credentials that sign the URL. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** The session token of temporary credentials, such as a function's own. */
  sessionToken?: string | undefined;
}

/** The request and the validity of a signed URL. */
export interface PresignRequest {
  method: 'GET' | 'PUT' | 'DELETE';
  /** The object's URL, whose query parameters are signed too. */
  url: URL;
  region: string;
  credentials: Credentials;
  /** The current time in milliseconds since the epoch. */
  now: number;
  /** Validity in seconds from `now`: 1 to 604,800; the URL expires earlier if the credentials do. */
  expiresSeconds: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const LONGEST_SECONDS = 604_800;

/**
 * A presigned URL: AWS Signature Version 4 in the query string, for S3. Its holder may make this one request until it
 * expires; the payload of a PUT is not signed. The signature is written by hand because `@aws-sdk/s3-request-presigner` is a
 * further package and needs a client with a command for each customer's bucket and credentials.
 * @throws RangeError for a time beyond the limit of S3
 */
export function presign({ method, url, region, credentials, now, expiresSeconds }: PresignRequest): string {
  if (!(expiresSeconds >= 1 && expiresSeconds <= LONGEST_SECONDS)) throw new RangeError('S3 signs for 1 s to 7 days');
  const stamp = `${new Date(now).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;
  const query = canonicalQuery([
    ...url.searchParams,
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scope}`],
    ['X-Amz-Date', stamp],
    ['X-Amz-Expires', String(expiresSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
    ...(credentials.sessionToken === undefined
      ? []
      : [['X-Amz-Security-Token', credentials.sessionToken] as [string, string]]),
  ]);
  const canonical = [method, url.pathname, query, `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const toSign = [ALGORITHM, stamp, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = [stamp.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  return `${url.origin}${url.pathname}?${query}&X-Amz-Signature=${hmac(key, toSign).toString('hex')}`;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function canonicalQuery(members: readonly (readonly [string, string])[]): string {
  return members
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** Encodes all but the unreserved characters (RFC 3986 section 2.3). */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path of an object's key, in which each segment is encoded as in S3's canonical form. */
export const encodeKey = (key: string): string => key.split('/').map(encode).join('/');
