import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { decodeUtf8, JsonError, parseJson } from '../../../kernel/json.ts';

/** The time limit in milliseconds for the whole request, so that a server cannot hold a call by sending one byte a second. */
const TIMEOUT_MS = 5_000;

/** The result of a fetch: the document with the header that limits its age, or the reason why there is no document. */
export type RemoteDocument = { value: unknown; cacheControl: string | null } | { reason: string };

/**
 * Fetches a JSON document through the egress guard: only from public addresses, by https, without redirects, with a limited
 * size, and within five seconds. Callers may see the reason of a failure: it reveals nothing about the network. The guard
 * with its table of addresses is some 25 KiB, which a deployed function loads as a separate file with the first fetch
 * (`lib/stack/apart.ts`).
 */
export async function fetchDocument(url: string, maxBytes: number): Promise<RemoteDocument> {
  try {
    const { status, headers, body } = await egress().send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes,
    });
    if (status !== 200) return { reason: `The server responded with the status ${status}; it must be 200.` };
    const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
      return { reason: 'The content type must be application/json.' };
    }
    return { value: parseJson(decodeUtf8(body)), cacheControl: headers.get('cache-control') };
  } catch (error) {
    if (error instanceof EgressError) return { reason: error.message };
    if (error instanceof JsonError || error instanceof TypeError) return { reason: 'The document is not valid JSON.' };
    throw error;
  }
}
