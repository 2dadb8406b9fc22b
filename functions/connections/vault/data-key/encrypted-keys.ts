import { SealedValueError } from '../../../kernel/keys/errors.ts';
import { uuidText } from '../../../kernel/id-format.ts';
import { sortedPairs } from '../../../kernel/keys/key-wrapper.ts';
import { type Context, contextProblem } from '../key/rules.ts';

/** A data key as its holder stores it: it contains everything needed to decrypt the key except the keys in KMS. */
export interface EncryptedKeys {
  id: string;
  context: Context;
  wrapped: Uint8Array;
}

const format = 1;
const idAt = 1;
const lengthAt = 17;
const contextAt = 19;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Maximum bytes of a blob that this service makes: context, ARN and two layers. */
const MAX_BYTES = 16_384;

/**
 * `encrypted_keys`: base64 of
 *
 * | Offset | Bytes | What                                                            |
 * |--------|-------|-----------------------------------------------------------------|
 * | 0      | 1     | format, 1                                                       |
 * | 1      | 16    | id of the data key                                              |
 * | 17     | 2     | c, length of the context, big-endian                            |
 * | 19     | c     | context: JSON array of its pairs, sorted by name                |
 * | 19 + c | n     | the wrapped data key; id and context are bound to it as additional data |
 */
export function encodeKeys({ id, context, wrapped }: EncryptedKeys): string {
  const pairs = Buffer.from(JSON.stringify(sortedPairs(context)));
  const head = Buffer.concat([Buffer.from([format]), Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.alloc(2)]);
  head.writeUInt16BE(pairs.length, lengthAt);
  return Buffer.concat([head, pairs, wrapped]).toString('base64');
}

/**
 * Decodes a blob to the members that it claims; decryption proves them.
 * @throws SealedValueError for a blob that differs in any byte from the form in which it was made
 */
export function decodeKeys(text: string): EncryptedKeys {
  if (text.length > (MAX_BYTES / 3) * 4 || !BASE64.test(text)) throw new SealedValueError();
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length <= contextAt || bytes[0] !== format) throw new SealedValueError();
  const end = contextAt + bytes.readUInt16BE(lengthAt);
  if (end >= bytes.length) throw new SealedValueError();
  const keys = {
    id: uuidText(bytes.toString('hex', idAt, lengthAt)),
    context: contextIn(bytes.toString('utf8', contextAt, end)),
    wrapped: bytes.subarray(end),
  };
  if (encodeKeys(keys) !== text) throw new SealedValueError();
  return keys;
}

function contextIn(text: string): Context {
  try {
    const pairs = JSON.parse(text) as [string, string][];
    const context = Object.fromEntries(pairs);
    if (Object.values(context).every((value) => typeof value === 'string') && contextProblem(context) === undefined) {
      return context;
    }
  } catch {
    // The text is not JSON, or not a list of pairs.
  }
  throw new SealedValueError();
}
