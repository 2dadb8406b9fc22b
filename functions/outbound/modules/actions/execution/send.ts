import { clock } from '../../../../kernel/clock.ts';
import { EgressError } from '../../../../kernel/egress/egress.ts';
import { egress } from '../../../../kernel/egress/shared.ts';
import { signatureHeaders } from '../../../../kernel/http/signature.ts';
import { log } from '../../../../kernel/log.ts';
import { settings } from '../../../../kernel/settings.ts';
import { type ActionEndpointRecord, actionSecrets } from '../endpoint/entity.ts';
import { readVerdict } from './rules.ts';

/** The maximum size of a response in bytes. */
const MAX_RESPONSE_BYTES = 16_384;

/** The result of a request to an action endpoint. */
export interface ActionOutcome {
  verdict: 'Allow' | 'Deny';
  /** The reason why the endpoint did not decide; then `on_failure` of the endpoint is the verdict. */
  failure?: string | undefined;
  /** The message of the endpoint for the person. */
  message?: string | undefined;
  status?: number | undefined;
  durationMs: number;
}

/** Posts a context to an action endpoint once. Redirects are not followed and count as failures. */
export async function sendAction(
  endpoint: ActionEndpointRecord,
  context: Readonly<Record<string, unknown>> & { id: string },
): Promise<ActionOutcome> {
  const now = clock.now();
  const secrets = await actionSecrets.open(endpoint, now);
  const body = JSON.stringify(context);
  const startedAt = performance.now();
  const failed = (failure: string, status?: number): ActionOutcome => {
    log.info('an action endpoint did not decide', { endpoint_id: endpoint.id, failure });
    const verdict = endpoint.onFailure === 'allow' ? 'Allow' : 'Deny';
    return { verdict, failure, status, durationMs: Math.round(performance.now() - startedAt) };
  };
  try {
    const response = await egress().send({
      method: 'POST',
      url: endpoint.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gatehouse-Actions/1',
        ...signatureHeaders(settings().GATEHOUSE_SIGNATURE_HEADER, secrets, { id: context.id, body, now }),
      },
      body,
      timeoutMs: endpoint.timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const { status } = response;
    if (status < 200 || status > 299) return failed('http_status', status);
    const valid = secrets.next === undefined ? [secrets.secret] : [secrets.secret, secrets.next];
    const read = { type: endpoint.type, secrets: valid, now: clock.now() };
    const verdict = readVerdict(new TextDecoder().decode(response.body), read);
    if (verdict.kind === 'failure') return failed(verdict.code, status);
    const message = verdict.kind === 'Deny' ? verdict.message : undefined;
    return { verdict: verdict.kind, message, status, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return failed(error.code);
  }
}
