import { EgressError } from '../../kernel/egress/egress.ts';
import { egress } from '../../kernel/egress/shared.ts';
import { decodeUtf8, JsonError, parseJson } from '../../kernel/json.ts';

/** Milliseconds for the whole request: a server that sends a byte a second does not hold the call longer. */
const TIMEOUT_MS = 5_000;

/** A document of somewhere else: its value with the header that limits its age, or the reason why there is none. */
export type RemoteDocument = { value: unknown; cacheControl: string | null } | { reason: string };

/**
 * Fetches a JSON document through the egress guard: only public addresses, https, no redirects, at most some bytes and five seconds.
 * The reason is public: it names nothing of the network.
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
