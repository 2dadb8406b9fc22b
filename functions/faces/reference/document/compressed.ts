import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { HttpHandler } from '../../../kernel/http/entry.ts';

/** Responses below this size in bytes are sent as they are: compressing them saves no packet. */
const LEAST_BYTES = 10_240;
/** Number of compressed responses that a process keeps. */
const KEPT = 50;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * The encoding for a client (RFC 9110 section 12.5.3): Brotli if it accepts it, otherwise gzip; undefined if it accepts
 * neither.
 */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | undefined {
  const accepts = (accepted ?? '').split(',').flatMap((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((encoding) => accepts.includes(encoding));
}

/**
 * Compresses the large text responses of a function, since an HTTP API of API Gateway does not. Responses with an `ETag` are kept, so a
 * page is compressed once in a process.
 */
export function withCompression(handler: HttpHandler): HttpHandler {
  const kept = new Map<string, string>();
  return async (event, context) => {
    const result = await handler(event, context);
    const { body = '', headers = {}, isBase64Encoded = false } = result;
    if (isBase64Encoded || Buffer.byteLength(body) < LEAST_BYTES) return result;
    const varying = { ...headers, vary: [headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ') };
    const encoding = chooseEncoding(event.headers['accept-encoding']);
    if (encoding === undefined) return { ...result, headers: varying };
    const name = headers.etag === undefined ? undefined : `${encoding} ${String(headers.etag)}`;
    const known = name === undefined ? undefined : kept.get(name);
    const packed = known ?? (await compress(body, encoding));
    if (name !== undefined && known === undefined) {
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
      kept.set(name, packed);
    }
    return { ...result, headers: { ...varying, 'content-encoding': encoding }, body: packed, isBase64Encoded: true };
  };
}

async function compress(text: string, encoding: 'br' | 'gzip'): Promise<string> {
  const bytes = Buffer.from(text);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  return (await (encoding === 'br' ? brotli(bytes, quality) : zip(bytes))).toString('base64');
}
