import { signatureHeaders } from '../../../kernel/http/signature.ts';
import { makeObjectAddress } from '../../../kernel/blobs/address.ts';
import { presign } from '../../../kernel/blobs/presign.ts';
import { clock } from '../../../kernel/clock.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { settings } from '../../../kernel/settings.ts';
import type { StreamRecord } from './entity.ts';
import { renderBody, objectKey, type StreamedEvent, type Target } from './rules.ts';
import { openSecrets } from './secrets.ts';

/** The result of sending a batch. */
export type Sent = { ok: true } | { ok: false; status: number | null; reason: string };

const TIMEOUT_MS = 30_000;
const KEPT_BYTES = 2_048;

/** Sends a batch once and follows no redirect. The same events make the same request, except for its signature. */
export async function sendBatch(stream: StreamRecord, events: readonly StreamedEvent[]): Promise<Sent> {
  const target = stream.target as Target;
  const secrets = await openSecrets(stream);
  const { body, contentType } = renderBody(target.type, events);
  const request = makeRequest(target, secrets, events, body);
  try {
    const { status } = await egress().send({
      ...request,
      headers: { 'content-type': contentType, 'user-agent': 'Gatehouse-Audit-Logs/1', ...request.headers },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: KEPT_BYTES,
      oversize: 'truncate',
      reuse: false,
    });
    // The receiver's response is not stored, because it may repeat the request.
    return status >= 200 && status < 300 ? { ok: true } : { ok: false, status, reason: `responded with ${status}` };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { ok: false, status: null, reason: error.code };
  }
}

type Secrets = Record<string, string | undefined>;

function makeRequest(
  target: Target,
  secrets: Secrets,
  events: readonly StreamedEvent[],
  body: string,
): { method: string; url: string; headers: Record<string, string> } {
  switch (target.type) {
    case 'GenericHttps':
      return {
        method: 'POST',
        url: target.url,
        headers: signatureHeaders(
          settings().GATEHOUSE_SIGNATURE_HEADER,
          { secret: secrets.secret ?? '' },
          { id: batchId(events), body, now: clock.now() },
        ),
      };
    case 'Datadog':
      return { method: 'POST', url: target.url, headers: { 'dd-api-key': secrets.apiKey ?? '' } };
    case 'Splunk':
      return { method: 'POST', url: target.url, headers: { authorization: `Splunk ${secrets.token ?? ''}` } };
    case 'S3':
      return { method: 'PUT', url: uploadAddress(target, secrets, objectKey(target.prefix, events)), headers: {} };
  }
}

/** Returns the id of a batch, made of its first and last event, so that a batch that is sent again has the same id. */
const batchId = (events: readonly StreamedEvent[]): string => `${events[0]?.id ?? ''}.${events.at(-1)?.id ?? ''}`;

type S3Target = Target & { type: 'S3' };

/** Returns a presigned URL for one upload: the customer's credentials sign it and are not sent themselves. */
const uploadAddress = ({ bucket, region, endpoint, accessKeyId }: S3Target, secrets: Secrets, key: string): string =>
  presign({
    method: 'PUT',
    url: makeObjectAddress(bucket, key, { region, endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey: secrets.secretAccessKey ?? '' },
    now: clock.now() - clock.offset(),
    expiresSeconds: 300,
  });
