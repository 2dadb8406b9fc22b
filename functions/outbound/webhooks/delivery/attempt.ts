import { clock } from '../../../kernel/clock.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { signatureHeaders } from '../../../kernel/http/signature.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { log } from '../../../kernel/log.ts';
import { settings } from '../../../kernel/settings.ts';
import { type EndpointRecord, endpointSecrets } from '../endpoint/entity.ts';
import { noteSlow } from '../health/entity.ts';
import { SLOW_AFTER_MS } from '../health/rules.ts';
import { KEPT_RESPONSE_BYTES, type Outcome } from './rules.ts';
import { renderBody } from './body.ts';

/** Time-out in ms of the whole attempt: name resolution, connection, TLS, response. */
const TIMEOUT_MS = 15_000;

/**
 * Posts an event to an endpoint once. Redirects are not followed and count as failures. While an endpoint is slow to
 * respond, it is marked slow, so that its further deliveries do not delay those of other endpoints.
 */
export async function attemptDelivery(endpoint: EndpointRecord, detail: BusDetail): Promise<Outcome> {
  const { environmentId, id, url } = endpoint;
  const now = clock.now();
  const secrets = await endpointSecrets.open(endpoint, now);
  const body = renderBody(detail);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Webhooks/1',
    ...signatureHeaders(settings().GATEHOUSE_SIGNATURE_HEADER, secrets, { id: detail.id, body, now }),
  };
  let marked: Promise<void> | undefined;
  const slow = setTimeout(() => {
    marked = noteSlow(environmentId, id).catch((error: unknown) =>
      log.warn('a slow endpoint was not marked', { error }),
    );
  }, SLOW_AFTER_MS);
  const startedAt = performance.now();
  try {
    const response = await egress().send({
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: KEPT_RESPONSE_BYTES,
      oversize: 'truncate',
      // A POST must not be lost because its receiver has just closed an idle connection.
      reuse: false,
    });
    return {
      status: response.status,
      error: null,
      response: new TextDecoder().decode(response.body, { stream: response.truncated }),
      durationMs: response.durationMs,
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.info('a delivery had no response', { endpoint_id: id, code: error.code, error });
    const durationMs = performance.now() - startedAt;
    return { status: null, error: error.code, response: null, durationMs, retryAfter: null };
  } finally {
    clearTimeout(slow);
    await marked;
  }
}
