import type { BucketName } from '../area.ts';
import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import { encodeKey, presign } from './presign.ts';

/** The physical name of a bucket. */
export const readBucketName = (bucket: BucketName): string =>
  bucket === 'audit' ? settings().GATEHOUSE_BUCKET_AUDIT : settings().GATEHOUSE_BUCKET_AUDIT_ROOTS;

/** The endpoint of a store other than the region's S3, read from the environment variables that the SDK's clients use. */
export const endpoint = (): string | undefined => process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;

const region = (): string => process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1';

/**
 * The URL of an object: under its bucket's own host, or with the bucket in the path if the endpoint is not the region's.
 */
export function makeObjectAddress(
  bucket: string,
  key: string,
  of: { region: string; endpoint?: string | undefined },
): URL {
  const host =
    of.endpoint === undefined
      ? `https://${bucket}.s3.${of.region}.${of.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`
      : `${of.endpoint.replace(/\/$/, '')}/${bucket}`;
  return new URL(`${host}/${encodeKey(key)}`);
}

/** The options of a download URL. */
export interface Download {
  fileName: string;
  contentType: string;
  /** Validity in seconds from now. */
  expiresSeconds: number;
}

/**
 * A URL with which its holder may download one object until the URL expires. It is signed with the function's own
 * credentials, without a request to AWS.
 */
export function downloadAddress(bucket: BucketName, key: string, download: Download): string {
  const url = makeObjectAddress(readBucketName(bucket), key, { region: region(), endpoint: endpoint() });
  url.searchParams.set('response-content-disposition', `attachment; filename="${download.fileName}"`);
  url.searchParams.set('response-content-type', download.contentType);
  return presign({
    method: 'GET',
    url,
    region: region(),
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: process.env.AWS_SESSION_TOKEN,
    },
    // The store compares the expiry with the true time, even if the local clock was moved.
    now: clock.now() - clock.offset(),
    expiresSeconds: download.expiresSeconds,
  });
}
